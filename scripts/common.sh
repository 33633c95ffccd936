# shellcheck shell=bash
# Functions that ./holdfast, ./verify and ./holdfast-bench share. The caller sets `root`, the folder of the clone, and
# `me`, its own name, and defines real_path. Works with bash 3.2, the version of macOS.

# The Maven modules of the program. Add a new one here and in pom.xml. The jar that runs is built by app.
modules="core formats app"

# Empty, or /spark for a build with Spark, which has a folder of its own.
part=

# Where to look for Java if neither JAVA_HOME nor PATH has a suitable one.
java_folders=(
    /usr/lib/jvm/* /usr/java/* /opt/*jdk* /opt/java/* "${HOME-}"/.sdkman/candidates/java/* "${HOME-}"/.jdks/*
    /Library/Java/JavaVirtualMachines/*/Contents/Home
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home
    /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home
    /home/linuxbrew/.linuxbrew/opt/openjdk*/libexec
)

say() { printf '%s: %s\n' "$me" "$*" >&2; }

die() {
    local code=$1
    shift
    say "$*"
    exit "$code"
}

has() { command -v "$1" >/dev/null 2>&1; }

# Sets a UTF-8 locale: with the locale C, or one that is not installed, Java cannot open files or read arguments with
# letters outside ASCII.
use_utf8() {
    case $OSTYPE in darwin*) return 0 ;; esac
    [ "$(locale charmap 2>/dev/null)" = UTF-8 ] || export LC_ALL=C.UTF-8
} 2>/dev/null

# Sets java_version for a Java home. Reads the file `release`, because starting a JVM only to ask for its version would
# double the time of every start.
read_java_version() {
    local line
    java_version=
    if [ -r "$1/release" ]; then
        while IFS= read -r line || [ -n "$line" ]; do
            case $line in JAVA_VERSION=*) java_version=${line#*=} ;; esac
        done <"$1/release"
        java_version=${java_version//[!0-9A-Za-z._+-]/}
    fi
    if [ -z "$java_version" ]; then
        line=$("$1/bin/java" -version 2>&1 </dev/null) || return 1
        case $line in *' version "'*) line=${line#* version \"} java_version=${line%%\"*} ;; esac
    fi
    [ -n "$java_version" ]
}

# Tells whether a Java home is suitable (for a build if $2 is "build"); sets java_home and java_version, or why_not.
suits() {
    local major
    java_home=$1
    if [ ! -x "$1/bin/java" ]; then
        why_not="it has no bin/java"
    elif ! read_java_version "$1"; then
        why_not="its java does not start"
    else
        major=${java_version%%[!0-9]*}
        if [ "${major:-0}" -lt 17 ]; then
            why_not="it is Java $java_version and 17 or later is needed"
        elif [ "${2-}" != build ]; then
            return 0
        elif [ ! -x "$1/bin/javac" ]; then
            why_not="it has no javac and a build is needed"
        elif ! "$1/bin/javac" -version >/dev/null 2>&1 </dev/null; then
            why_not="its javac does not start"
        else
            return 0
        fi
    fi
    java_home=
    return 1
}

# Sets java_home and java_version to those of the first suitable Java (for a build if $1 is "build"), or fails.
find_java() {
    local java home
    if [ -n "${JAVA_HOME-}" ]; then
        suits "${JAVA_HOME%/}" "${1-}" && return 0
        say "JAVA_HOME=$JAVA_HOME is skipped: $why_not"
    fi
    while IFS= read -r java; do
        real_path "$java"
        home=${real%/*/*}
        # Not in a Java home: either the stub that macOS has if Java is missing, or the wrapper of a version manager.
        if [ ! -e "$home/release" ] && [ ! -e "$home/lib/modules" ]; then
            case $OSTYPE:$real in darwin*:/usr/bin/java) continue ;; esac
            home=$("$java" -XshowSettings:properties -version 2>&1 </dev/null |
                sed -n 's/^ *java\.home = //p') || continue
            [ -n "$home" ] || continue
        fi
        suits "$home" "${1-}" && return 0
    done < <(type -ap java)
    for home in "${java_folders[@]}"; do
        suits "$home" "${1-}" && return 0
    done
    return 1
}

# Prints the command that installs the arguments (jdk, maven, chromium) with this machine's package manager.
install_command() {
    local sudo="sudo " manager jdk
    [ "$EUID" != 0 ] || sudo=
    for manager in apt-get dnf zypper apk pacman brew none; do
        ! has "$manager" || break
    done
    case $manager in
        apt-get) manager="${sudo}apt-get install" jdk=$(apt_jdk) ;;
        dnf | zypper) manager="$sudo$manager install" jdk=java-17-openjdk-devel ;;
        apk) manager="${sudo}apk add" jdk=openjdk17 ;;
        pacman) manager="${sudo}pacman -S" jdk=jdk17-openjdk ;;
        brew) manager="brew install" jdk=openjdk ;;
        *) manager="the package manager of your system, packages" jdk="jdk (17 or later)" ;;
    esac
    printf '%s %s' "$manager" "${*/#jdk/$jdk}"
}

# Prints the JDK package for apt-get: Debian 13 no longer has Java 17, and the default of Ubuntu 22 is older.
apt_jdk() {
    if apt-cache show openjdk-17-jdk-headless >/dev/null 2>&1; then
        printf openjdk-17-jdk-headless
    else
        printf default-jdk-headless
    fi
}

# Sets the array state_dirs: where builds may be kept, best first. The user's cache is for clones that are read-only or
# have a colon in their path, which a class path cannot contain.
list_state_dirs() {
    local key
    key=$(printf %s "$root" | cksum)
    key=${key// /-}
    state_dirs=()
    case $root in *:*) ;; *) state_dirs+=("$root/target/run$part") ;; esac
    if [ -n "${XDG_CACHE_HOME:-${HOME-}}" ]; then
        state_dirs+=("${XDG_CACHE_HOME:-$HOME/.cache}/holdfast/$key$part")
    fi
    state_dirs+=("${TMPDIR:-/tmp}/holdfast-$EUID/$key$part")
}

# Tells whether a folder is safe: in /tmp, another user could put a jar where we look for ours.
trusted() { [ "$1" = "$root/target/run$part" ] || { [ -O "$1" ] && [ -O "${1%/*}" ]; }; }

# Sets state to the first of state_dirs that is writable.
choose_state_dir() {
    for state in "${state_dirs[@]}"; do
        (
            [ "$state" = "$root/target/run$part" ] || umask 077
            mkdir -p "$state" && [ -w "$state" ] && trusted "$state" && : >>"$state/lock"
        ) 2>/dev/null && return 0
    done
    die 3 "no folder to build in can be written to: ${state_dirs[*]}"
}
