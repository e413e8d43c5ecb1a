"""Reading tables: every form, the pairs that are meant, the two hashes, and what is refused where."""

from __future__ import annotations

import hashlib
import json

import pytest

from oracle.audits.run import audit
from oracle.audits.tables import Pair, read_table, table_from_bytes
from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel
from oracle.errors import Declined, InputError
from oracle.mechanisms.parse import parse_mechanism

WARNER = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
THREE = {
    "matrix": [["1/2", "1/2"], ["1/3", "2/3"], ["1/4", "3/4"]],
    "inputs": ["a", "b", "c"],
}


def test_two_rows_are_one_pair():
    """Row 0 is P, row 1 is Q."""
    table = read_table(WARNER)
    assert table.pairs == (Pair((0, 1), ("P", "Q")),)
    assert (table.form, table.sha256) == ("python", None)


def test_labels_name_the_pair():
    """The labels of the inputs are those of the pair."""
    assert read_table({**WARNER, "inputs": ["yes", "no"]}).pairs[0].labels == ("yes", "no")


def test_file_has_both_hashes(tmp_path):
    """The bytes as given, and the probabilities as parsed."""
    path = tmp_path / "table.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps({"matrix": [["0.75", "0.25"], ["1/4", "3/4"]]}).encode() + b"\r\n")
    table = read_table(path)
    assert table.name == "table.json"
    assert table.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert table.parsed_sha256 == Channel(WARNER["matrix"]).hash


def test_parsed_hash_is_the_same_for_every_form(tmp_path):
    """CSV, TSV and JSON of the same probabilities agree, whatever their labels."""
    (tmp_path / "t.csv").write_text("outcome,p,q\nyes,0.75,0.25\nno,0.25,0.75\n")
    (tmp_path / "t.TSV").write_text("3/4\t1/4\n1/4\t3/4\n")
    (tmp_path / "t.json").write_text(json.dumps({**WARNER, "inputs": ["a", "b"]}))
    hashes = {read_table(path).parsed_sha256 for path in tmp_path.iterdir()}
    assert hashes == {read_table(parse_mechanism({"mechanism": "channel", **WARNER})).parsed_sha256}
    assert {read_table(path).form for path in tmp_path.iterdir()} == {"csv", "tsv", "json"}


def test_expression_with_irrational_probabilities_is_a_formal_channel():
    """Its parsed hash is that of the weights."""
    table = read_table({"mechanism": "randomized_response", "epsilon": "1/2"})
    assert isinstance(table.channel, FormalChannel)
    assert table.parsed_sha256 != read_table({"mechanism": "randomized_response", "epsilon": "1/3"}).parsed_sha256


def test_pairs_of_a_table():
    """Listed pairs are kept in their order and orientation."""
    table = read_table({**THREE, "pairs": [["b", "a"], ["b", "c"]]})
    assert [pair.rows for pair in table.pairs] == [(1, 0), (1, 2)]
    channel = table.pair_channel(table.pairs[0])
    assert isinstance(channel, Channel)
    assert channel == Channel(THREE["matrix"][1::-1], inputs=["b", "a"])


def test_pairs_given_beside_a_table():
    """They do for a table that lists none, and for two rows too."""
    assert [pair.rows for pair in read_table(THREE, [("a", "c")]).pairs] == [(0, 2)]
    assert read_table({**WARNER, "inputs": ["x", "y"]}, [("y", "x")]).pairs == (Pair((1, 0), ("y", "x")),)


@pytest.mark.parametrize(
    ("table", "pairs", "message"),
    [
        (THREE, None, 'neighbouring pairs of inputs: "pairs"'),
        ({"matrix": [["1"]]}, None, "at least two inputs, got one row"),
        ({**THREE, "pairs": []}, None, "at least one pair"),
        ({**THREE, "pairs": None}, None, "at least one pair"),
        ({**THREE, "pairs": [["a", "b"]]}, [("a", "c")], "in one place"),
        ({**THREE, "pairs": [["a", "d"]]}, None, 'pairs[0]: expected the label of an input ("a", "b", "c"), got "d"'),
        ({**THREE, "pairs": [["a", "a"]]}, None, 'two different inputs, got "a" twice'),
        ({**THREE, "pairs": [["a", "b"], ["b", "a"]]}, None, "pairs[1]: expected each pair once"),
        ({**THREE, "pairs": [["a", "b", "c"]]}, None, "pairs[0]: expected a pair"),
        ({**THREE, "pairs": [["a", 1]]}, None, "pairs[0]: expected a pair"),
        ({**THREE, "pairs": {"a": "b"}}, None, "at least one pair"),
        ({"matrix": THREE["matrix"], "pairs": [["0", "1"]]}, None, 'labels of the inputs ("inputs" in JSON'),
        (WARNER, [("0", "1")], "labels of the inputs"),
        ({"mechanism": "randomized_response", "exp_epsilon": "3"}, [("0", "1")], "labels of the inputs"),
        (WARNER, [("P", "P")], "labels of the inputs"),
        ({"mechanism": "laplace", "scale": "1"}, [("Q", "P")], "one pair of laws"),
        (THREE, [("a", "z")], '--pair[0]: expected the label of an input ("a", "b", "c"), got "z"'),
    ],
)
def test_malformed_pairs_are_refused(table, pairs, message):
    """What was expected and where it stands are said."""
    with pytest.raises(InputError) as error:
        read_table(table, pairs)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "t: expected JSON"),
        (b"[1]", "expected a table"),
        (b"{}", 'the key "matrix"'),
        (b'{"matrix": [["1/2", "1/3"], ["1/2", "1/2"]]}', "misses 1 by 1/6"),
        (b'{"matrix": [["3/2", "-1/2"], ["1/2", "1/2"]]}', "matrix[0][1]: expected a probability at least 0, got -1/2"),
        (b'{"matrix": [[0.5, "1/2"], ["1/2", "1/2"]]}', "the JSON float 0.5"),
        (b'{"matrix": [["50%", "50%"], ["1/2", "1/2"]]}', "no % sign"),
        (b'{"matrix": [["nan", "1"], ["1/2", "1/2"]]}', "a finite number"),
        (b'{"matrix": [["1"], ["1", "0"]]}', "1 columns as in row 0"),
        (b'{"matrix": [], "matrix": []}', 'the key "matrix" twice'),
        (b'{"matrix": [["1"], ["1"]], "note": 1}', 'the key "note"'),
        (b'{"matrix": [["1"], ["1"]], "outputs": ["\\u001b[31m"]}', "without control characters"),
        (b'{"matrix": [["1"], ["1"]]}\xff', "UTF-8 text, got the byte 0xff at offset 26"),
    ],
)
def test_malformed_json_is_refused(data, message):
    """The message names the place and the expectation."""
    with pytest.raises(InputError) as error:
        table_from_bytes(data, "t")
    assert message in str(error.value)


def test_partial_channel_is_refused():
    """A Python channel of smaller mass has no claim to judge."""
    with pytest.raises(InputError, match="partial channel"):
        read_table(Channel([["1/2"], ["1/2"]], partial=True))


def test_mechanism_that_is_not_offered_is_declined():
    """It is not mistaken for malformed input."""
    with pytest.raises(Declined):
        read_table({"mechanism": "post", "post": [["1"]], "of": {"mechanism": "laplace", "scale": "1"}})


@pytest.mark.parametrize("pair", [("P", "Q"), ("Q", "P")])
def test_two_unnamed_rows_are_p_and_q(pair):
    """The names that the report gives them may be given for the pair."""
    rows = (0, 1) if pair == ("P", "Q") else (1, 0)
    assert read_table(WARNER, [pair]).pairs == (Pair(rows, pair),)
    assert read_table({"mechanism": "laplace", "scale": "1"}, [("P", "Q")]).pairs == (Pair((0, 1), ("P", "Q")),)


@pytest.mark.parametrize("name", ["t.txt", "t", "t.json"])
def test_form_may_be_given(tmp_path, name):
    """It comes before what the name says; without it, lines of cells are no JSON, and the error says what to do."""
    path = tmp_path / name
    path.write_text("outcome,p,q\nyes,0.75,0.25\nno,0.25,0.75\n")
    table = read_table(path, form="csv")
    assert (table.form, table.channel) == ("csv", Channel(WARNER["matrix"], ["p", "q"], ["yes", "no"]))
    with pytest.raises(InputError, match=r"expected JSON, got .* \(CSV needs the ending .csv or .tsv, or --format\)"):
        read_table(path)
    with pytest.raises(InputError, match="expected json, csv or tsv"):
        read_table(path, form="xls")


def test_the_table_knows_what_it_was_read_from(tmp_path):
    """The bytes of a file, the JSON of a value, the expression of a mechanism."""
    path = tmp_path / "t.csv"
    path.write_text("3/4,1/4\n1/4,3/4\n")
    assert (read_table(path).data, read_table(path).expression) == (path.read_bytes(), None)
    data = read_table({**THREE, "pairs": [["a", "c"]]}).data
    assert json.loads(data) == {**THREE, "pairs": [["a", "c"]]}
    expression = {"mechanism": "randomized_response", "exp_epsilon": "3"}
    table = read_table(expression)
    assert table.expression == json.loads(table.data) == expression


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_unreadable_file_is_refused(tmp_path, name):
    """A missing file and a directory name their path."""
    with pytest.raises(InputError, match="a readable file"):
        read_table(tmp_path / name)


def test_name_of_a_file_is_made_printable(tmp_path):
    """A line break in the name of a file does not reach the report."""
    path = tmp_path / "a\nb.json"
    path.write_text(json.dumps(WARNER))
    assert read_table(path).name == "a\\nb.json"


def test_a_dp_event_is_audited_as_the_mechanism_it_names(tmp_path):
    """From its JSON form, whose numbers are doubles; the report has the expression."""
    path = tmp_path / "event.json"
    event = '{"class_name": "SelfComposedDpEvent", "count": 2, "event": {"class_name": "RandomizedResponseDpEvent", '
    path.write_text(event + '"noise_parameter": 0.5, "num_buckets": 2}}', encoding="utf-8")
    table = read_table(path)
    response = {"mechanism": "k_randomized_response", "k": 2, "exp_epsilon": "3"}
    assert table.expression == {"mechanism": "repeat", "times": 2, "of": response}
    assert audit(path, "exp_eps=9").equality
