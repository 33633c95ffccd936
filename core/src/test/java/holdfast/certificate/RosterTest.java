package holdfast.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RosterTest {
    @Test
    void groupsAreDisjointAndEquallyLargeWhateverTheOrderOfNames() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            List<String> names = new ArrayList<>(IntStream.rangeClosed(0, random.nextInt(40))
                    .mapToObj(i -> "source " + i * 7)
                    .toList());
            int groups = 1 + random.nextInt(names.size());
            Roster roster = Roster.deal(names, groups);
            assertThat(roster.groups().stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(names);
            assertThat(roster.groups())
                    .allSatisfy(group -> assertThat(group.size())
                            .isBetween(names.size() / groups, (names.size() + groups - 1) / groups));
            Collections.reverse(names);
            assertThat(Roster.deal(names, groups)).isEqualTo(roster);
            names.forEach(name ->
                    assertThat(roster.groups().get(roster.groupOf(name))).contains(name));
        });
    }

    /** SHA-256 by coreutils: a ca978112..., b 3e23e816..., c 2e7d2c03..., d 18ac3e73...; so the order is d, c, b, a. */
    @Test
    void sourcesAreDealtInTheOrderOfTheirHashes() {
        assertThat(Roster.deal(List.of("a", "b", "c", "d"), 2).groups())
                .containsExactly(List.of("b", "d"), List.of("a", "c"));
        assertThat(Roster.deal(List.of("a", "b", "c", "d"), 3).groups())
                .containsExactly(List.of("a", "d"), List.of("c"), List.of("b"));
    }

    @Test
    void badRostersAreRefused() {
        assertThatThrownBy(() -> Roster.deal(List.of("a", "b", "b"), 3))
                .isInstanceOf(InputException.class)
                .hasMessage("there must be at least as many sources as groups that vote, got 2 sources for 3 groups");
        assertThatThrownBy(() -> Roster.deal(List.of("a"), 0)).hasMessageContaining("at least 1, got 0");
        assertThatThrownBy(() -> new Roster(List.of(List.of("a"), List.of("b", "a"))))
                .hasMessage("source 'a' must be on the roster once, got it twice");
        assertThatThrownBy(() -> new Roster(List.of(List.of("a"), List.of())))
                .hasMessage("group 2 of the roster must have a source, got none");
        assertThatThrownBy(() -> Roster.of(new TreeMap<>(Map.of("a", 1, "b", 3))))
                .hasMessage("groups must be numbered from 1 without gaps, got group 3 of 2 sources");
        assertThatThrownBy(() -> Roster.of(new TreeMap<>(Map.of("a", 0, "b", 1))))
                .hasMessageContaining("numbered from 1, got 0");
        assertThatThrownBy(() -> Roster.deal(List.of("a", "b"), 2).requireHas(List.of("a", "c")))
                .hasMessage("source 'c' is not on the roster of 2; a source that could add a name would vote twice");
    }

    @Test
    void givenGroupsStay() {
        Roster roster = Roster.of(new TreeMap<>(Map.of("a", 2, "b", 1, "c", 2)));
        assertThat(roster.groups()).containsExactly(List.of("b"), List.of("a", "c"));
        assertThat(roster.sources()).isEqualTo(3);
        assertThat(roster.groupOf("c")).isEqualTo(1);
        assertThat(roster.groupOf("d")).isEqualTo(-1);
    }
}
