"""Scripts that assign one object: what is read of them, and what is no such script."""

import json
import time

import pytest

from mossbench.plumbing.scripts import read_assignment


@pytest.mark.parametrize(
    ("script", "name", "key", "content"),
    [
        ('test_data = {"1": {"a": 2}};', "test_data", None, {"1": {"a": 2}}),
        ('\ufeffconst test_data = {"1": 2}', "test_data", None, {"1": 2}),
        ('cache[\'http://x/y\'] = {"a": "it\'s // no /* comment */",} // the end', "cache", "http://x/y", None),
        ('cache["a\\"b"] = {}', "cache", 'a"b', {}),
        ("cache['it\\'s'] = {}", "cache", "it's", {}),
        ("// it's ours\nwindow.data = {/* {don't} */ \"a\": [1, 2,], }", "window.data", None, {"a": [1, 2]}),
        ('a = {"x": "}; b = {"};', "a", None, {"x": "}; b = {"}),
    ],
)
def test_one_assignment_is_read(script, name, key, content):
    assigned = read_assignment(script)
    assert (assigned.name, assigned.key) == (name, key)
    assert json.loads(assigned.json) == ({"a": "it's // no /* comment */"} if content is None else content)


@pytest.mark.parametrize(
    "script",
    [
        'a = {"x": 1}; b = {"y": 2}',
        'a = {"x": 1}\nb = {"y": 2};',
        'a = {"x": 1}; if (b) { c }',
        'a = {"x": 1}}',
        "a = {} /* never closed",
        'window["a"]["b"] = {}',
        "window['a']['b'] = {}",
        "a = [1]",
        "a = {",
        'a = {"x": "y',
        "",
    ],
)
def test_any_other_script_is_none(script):
    assert read_assignment(script) is None


def test_the_lines_above_the_object_are_counted():
    assert read_assignment('// one\n/* two\nthree */\na =\n{"x": 1}').n_lines_above == 4


@pytest.mark.parametrize("script", ["/* " * 50_000, '"\\' * 50_000, "'\\" * 50_000, "," + " " * 100_000, "{" * 100_000])
def test_what_is_never_closed_is_read_once(script):
    started = time.process_time()
    read_assignment(script)
    read_assignment(f"a = {{{script}")
    assert time.process_time() - started < 10


def test_a_long_string_takes_little_memory():
    import tracemalloc

    script = 'a = {"x": "' + "y" * 5_000_000 + '"}'
    tracemalloc.start()
    try:
        assert read_assignment(script) is not None
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 * len(script)
