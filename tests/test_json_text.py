"""Strict JSON in, canonical JSON out."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from gmpy2 import mpz

from oracle.errors import InputError, LimitError
from oracle.exact import JsonFloat
from oracle.json_text import canonical, digest, dump_line, parse, read_bytes, read_text, refuse_unknown


def test_a_value_is_read() -> None:
    assert parse('{"a": [1, "x", null, true]}') == {"a": [1, "x", None, True]}


def test_a_byte_order_mark_and_crlf_are_accepted() -> None:
    assert parse('\ufeff{"a":\r\n1}\r\n') == {"a": 1}


@pytest.mark.parametrize("text", ["0.5", "1e3", "NaN", "Infinity", "-Infinity"])
def test_a_float_is_kept_as_text_to_be_refused_in_its_place(text: str) -> None:
    (found,) = parse(f"[{text}]")
    assert isinstance(found, JsonFloat)
    assert found.text == text


def test_an_integer_is_exact_at_any_length() -> None:
    assert parse("1" + "0" * 3999) == 10**3999
    assert parse("1" + "0" * 5000) == mpz(10) ** 5000
    assert parse("-" + "1" * 100_000) < 0


def test_an_integer_beyond_the_limit_is_refused() -> None:
    with pytest.raises(LimitError, match="expected a number of at most 100000 digits"):
        parse("1" * 100_002)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "a": 2}', 'f.json: expected every key once, got the key "a" twice'),
        ('{"b": {"a": 1, "a": 1}}', 'got the key "a" twice in b'),
        ('{"x y": [0, [{"c": {"a": 1, "a": 1}}]]}', 'got the key "a" twice in ["x y"][1][0].c'),
        ('{"query": {"A": {"query": {"B": 1, "B": 2}}}}', 'got the key "B" twice in query["A"].query'),
        ('{"a": {"b": 1, "b": 2}, "c": {"d": 1, "d": 2}}', 'got the key "b" twice in a'),
        ('{"a": %s, "b": {"c": NaN, "c": 1.5}}' % ("9" * 5000), 'got the key "c" twice in b'),
        ('{"a": {"c": 1, "c": 1}, "b": 1, "b": 2}', 'f.json: expected every key once, got the key "b" twice'),
        (
            "{'a': 1}",
            "f.json: expected JSON, got Expecting property name enclosed in double quotes at line 1, column 2",
        ),
        ("[1,\n2,\n oops]", "at line 3, column 2"),
        ("[1] trailing", "Extra data at line 1, column 5"),
        ("", "at line 1, column 1"),
        ("[" * 100_000, "JSON nested at most a few hundred deep"),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text, "f.json")
    assert message in str(caught.value)


def test_a_file_is_read_as_utf8_with_or_without_a_mark(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes('\ufeff{"ä": 1}\r\n'.encode())
    assert parse(read_text(file)) == {"ä": 1}
    assert read_bytes(file).startswith(b"\xef\xbb\xbf")


def test_a_file_that_is_no_utf8_is_refused_with_the_byte(tmp_path: Path) -> None:
    file = tmp_path / "latin.json"
    file.write_bytes(b'{"\xe4": 1}')
    with pytest.raises(InputError, match=r"latin\.json: expected UTF-8 text, got the byte 0xe4 at offset 2"):
        read_text(file)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.json: expected a readable file, got no such file or directory"):
        read_text(tmp_path / "none.json")
    with pytest.raises(InputError, match="expected a readable file"):
        read_bytes(tmp_path)


def test_an_unknown_key_is_refused_beside_the_known_ones() -> None:
    refuse_unknown({"a": 1}, ("a", "b"), "args")
    with pytest.raises(InputError) as caught:
        refuse_unknown({"a": 1, "c": 2}, ("a", "b"), "args")
    assert str(caught.value) == 'args: expected only the keys a, b, got the key "c"'


def test_where_no_key_is_known_the_message_says_so() -> None:
    with pytest.raises(InputError, match='args: expected no keys, got the key "x"'):
        refuse_unknown({"x": 1}, (), "args")


def test_the_canonical_text_is_sorted_tight_and_unescaped() -> None:
    assert canonical({"b": [1, None], "a": "ä"}) == '{"a":"ä","b":[1,null]}'


def test_the_digest_is_the_sha256_of_the_canonical_text() -> None:
    value = {"b": "ä", "a": 1}
    assert digest(value) == hashlib.sha256('{"a":1,"b":"ä"}'.encode()).hexdigest()


def test_text_that_utf8_cannot_hold_has_no_digest() -> None:
    with pytest.raises(InputError, match="a lone surrogate"):
        digest({"a": "\ud800"})


def test_a_line_keeps_the_order_of_keys_and_is_one_line() -> None:
    assert dump_line({"id": 1, "error": "ä\n"}) == '{"id": 1, "error": "ä\\n"}'


def test_a_line_escapes_a_lone_surrogate_and_writes_long_integers() -> None:
    assert dump_line("\ud800ä") == '"\\ud800\\u00e4"'
    assert json.loads(dump_line({"n": mpz(10) ** 30})) == {"n": 10**30}


def test_a_value_without_a_json_form_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="set has no JSON form"):
        dump_line({1})
