"""
Prints what the wrappers expect of Java, one fact per line, from their source alone, so that neither PySpark nor Spark is
needed. PythonWrappersTest of the module spark compares it with the classes.

    extends CLASS BASE             CLASS has the base BASE, which is one of PySpark
    calls CLASS METHOD ARGUMENTS   CLASS calls METHOD of its Java object with that number of arguments
    param CLASS NAME DEFAULT       CLASS takes the Param NAME as a keyword; the default is JSON
"""

import ast
import json
from pathlib import Path

sources = Path(__file__).resolve().parent.parent / "holdfast"
trees = [ast.parse(file.read_text(encoding="utf-8")) for file in sorted(sources.glob("*.py"))]
classes = {node.name: node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)}


def names_of_bases(node):
    """Returns the bases without their type arguments."""
    return [getattr(base, "value", base).id for base in node.bases]


def with_bases(name):
    """Returns the names of a class and of all that it extends, as far as they are known here."""
    if name not in classes:
        return [name]
    return [name] + [b for base in names_of_bases(classes[name]) for b in with_bases(base)]


def calls(node):
    """Returns the methods of the Java object that a class calls: by name, or as attributes of the object."""
    for call in (n for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)):
        if call.func.attr == "_call_java":
            yield call.args[0].value, len(call.args) - 1
        elif isinstance(call.func.value, ast.Attribute) and call.func.value.attr == "_java_obj":
            yield call.func.attr, len(call.args)


def keywords(node, method):
    """Returns the keyword arguments of a method with their defaults."""
    for function in node.body:
        if isinstance(function, ast.FunctionDef) and function.name == method:
            arguments = function.args
            return {a.arg: ast.literal_eval(d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults)}
    return {}


def defaults(name):
    """Returns what a class and its bases pass to _setDefault."""
    found = {}
    for base in reversed(with_bases(name)):
        for call in ast.walk(classes[base]) if base in classes else []:
            if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "_setDefault":
                found.update({k.arg: ast.literal_eval(k.value) for k in call.keywords})
    return found


for name, node in classes.items():
    if name.startswith("_"):
        continue
    bases = list(dict.fromkeys(with_bases(name)))
    for base in bases:
        if base not in classes:
            print("extends", name, base)
    for method, arguments in sorted({call for base in bases if base in classes for call in calls(classes[base])}):
        print("calls", name, method, arguments)
    params = keywords(node, "setParams")
    assert params == keywords(node, "__init__"), f"{name}: setParams and __init__ take different keywords"
    for param, default in defaults(name).items():
        assert param not in params or params[param] == default, f"{name}: {param} has two defaults"
    for param, default in params.items():
        print("param", name, param, json.dumps(default))
