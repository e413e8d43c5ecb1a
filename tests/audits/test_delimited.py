"""CSV and TSV: headers, labels, exact cells, and the line and column of whatever is wrong."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.audits.delimited import read_delimited
from oracle.channels.channel import Channel
from oracle.errors import InputError


def read(text: str) -> Channel:
    """A table between commas."""
    return read_delimited(text, ",", "t.csv")


HALVES = Channel([["1/2", "1/2"], ["1/4", "3/4"]], inputs=["p", "q"], outputs=["a", "b"])


@pytest.mark.parametrize(
    "text",
    [
        "outcome,p,q\na,1/2,1/4\nb,1/2,3/4\n",
        "outcome,p,q\r\na,0.5,0.25\r\nb,0.5,0.75",
        ",p,q\ra,0x1p-1,2.5e-1\rb,.5,75e-2\r",
        " outcome , p ,q\n\n a , 1/2 , 1/4 \n   \nb,\t1/2 ,3/4\n\n",
        '"outcome","p","q"\n"a","1/2","1/4"\n"b","1/2","3/4"\n',
    ],
)
def test_one_table_in_several_spellings(text):
    """Line ends, spaces, quotes and the spelling of numbers do not matter."""
    assert read(text) == HALVES


def test_first_line_of_numbers_is_no_header():
    """Then the inputs have no labels."""
    assert read("a,1/2,1/4\nb,1/2,3/4\n") == Channel(HALVES.rows, outputs=["a", "b"])


@pytest.mark.parametrize("head", ["outcome", "Outcome", "OUTPUT", "outputs"])
def test_first_line_that_starts_with_outcome_is_a_header(head):
    """Even when its labels are numbers."""
    channel = read(f"{head},0,1\na,1/2,1/4\nb,1/2,3/4\n")
    assert channel == Channel(HALVES.rows, inputs=["0", "1"], outputs=["a", "b"])


def test_tabs_are_told_from_commas():
    """A .tsv between commas."""
    with pytest.raises(InputError, match=r"expected cells between tabs, got commas \(use .csv or --format csv\)"):
        read_delimited("outcome,p,q\na,1,1\n", "\t", "t.tsv")


def test_two_columns_are_p_and_q():
    """Outcome names are not needed; a header still names the inputs."""
    assert read("1/2,1/4\n1/2,3/4\n") == Channel(HALVES.rows)
    assert read("D0,D1\n1/2,1/4\n1/2,3/4\n") == Channel(HALVES.rows, inputs=["D0", "D1"])


def test_a_column_for_each_input():
    """Any number of inputs."""
    channel = read("outcome,x,y,z\na,1,0,1/2\nb,0,1,1/2\n")
    assert channel == Channel([[1, 0], [0, 1], ["1/2", "1/2"]], inputs=["x", "y", "z"], outputs=["a", "b"])


def test_outcomes_are_text():
    """Leading zeros are kept, separators and markup in quotes are data."""
    assert read('00,1,1\n0,0,0\n"a,<b>|""",0,0\n').outputs == ("00", "0", 'a,<b>|"')


def test_long_numbers_are_read():
    """Beyond the csv module's own limit, which is left as it was."""
    before = csv.field_size_limit()
    digits = "1" * 99_000
    assert read(f"a,{digits}/{digits},1\nb,0,0\n").rows == ((1, 0), (1, 0))
    assert csv.field_size_limit() == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.csv: expected at least one outcome, got an empty file"),
        ("\n\n", "got an empty file"),
        ("outcome,p,q\n", "got only a header"),
        ("outcome\na\n", "t.csv line 1: expected the columns outcome and one for each input"),
        ("outcome,p,q\na,1,1\nb,0\n", "t.csv line 3: expected 3 cells as in the first line, got 2"),
        ("outcome,p,q\na,1,1,\n", "t.csv line 2: expected 3 cells as in the first line, got 4"),
        ("outcome,p,q\na,,1\n", "t.csv line 2, column p: expected a probability, got an empty cell"),
        ("outcome,p,q\n,1,1\n", "t.csv line 2, column outcome: expected the name of an outcome"),
        ("outcome,p,q\na,100%,1\n", "t.csv line 2, column p: expected a number"),
        ("a,100%,100%\n", "t.csv line 1, column 2: expected a number"),
        ("a,nan,nan\nb,1,1\n", "t.csv line 1, column 2: expected a finite number"),
        ("a,1/0,1/0\nb,1,1\n", "t.csv line 1, column 2: expected a denominator other than 0"),
        ("outcome,p,q\na,1,one\n", "t.csv line 2, column q: expected a number"),
        ("outcome,p,q\na,1,3/2\nb,0,-1/2\n", 'line 3, column q: expected a probability at least 0, got "-1/2"'),
        ("outcome,p,q\na,1,1/2\nb,0,1/3\n", "t.csv column q: expected a column that sums to 1, got a sum of 5/6"),
        ("outcome,p,q\na,1,1\nb,1/7,0\n", "which exceeds 1 by 1/7"),
        (
            "outcome,p,q\na,1,1\na,0,0\n",
            'line 3, column outcome: expected each outcome once, got "a", which is in line 2',
        ),
        ("outcome,p,p\na,1,1\n", "t.csv header: expected distinct labels"),
        ("outcome,p,q\n\x1b[31ma,1,1\n", "t.csv outcomes[0]: expected a label without control characters"),
        ('outcome,p,q\n"a\nb",1,1\n', "without control characters"),
        ('outcome,p,q\n"a"b,1,1\n', "t.csv line 2: expected cells between"),
        ('outcome,p,q\n"a,1,1\n', "a line that is malformed"),
        ("name,0,1\na,1,0\nb,0,1\n", "got a sum of 2, which exceeds 1 by 1 (is line 1 a header? its labels look like"),
        (
            "0,1\n1,0\n0,1\n",
            "column 2: expected a column that sums to 1, got a sum of 2, which exceeds 1 by 1 (is line",
        ),
        ("Output,p\na,1\n", "t.csv line 1: expected the columns outcome and one for each of at least two inputs"),
        ("outcome;p;q\na;1;1\n", 't.csv line 1: expected cells between ",", got semicolons (and a decimal has a point'),
        ("outcome;p;q\na;0,5;0,25\nb;0,5;0,75\n", "got semicolons"),
        ("outcome\tp\tq\na\t1\t1\n", "got tabs (use .tsv or --format tsv)"),
        ("outcome,p,q\na,0,5,0,25\n", "line 2: expected 3 cells as in the first line, got 5 (a decimal has a point"),
        ('outcome,p,q\na,"0,5",1\n', 'column p: expected a number with a decimal point, got "0,5", with a comma'),
        ("p,q\n0.1,1\n0.2,0\n0.7000000000000001,0\n", "by 1/10000000000000000 (doubles rarely sum to 1 exactly:"),
    ],
)
def test_malformed_table_is_refused(text, message):
    """What was expected, in which line and column."""
    with pytest.raises(InputError) as error:
        read(text)
    assert message in str(error.value)


def test_number_beyond_the_limit_is_refused_in_its_place():
    """A cell of too many digits."""
    with pytest.raises(InputError, match=r"line 1, column 2: expected a number of at most 100000 digits"):
        read("a,1e-200000,1\n")


LAWS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6).filter(
    lambda pairs: all(map(sum, zip(*pairs, strict=True)))
)


@given(LAWS, st.sampled_from(",\t"))
def test_written_table_is_read_back(pairs, separator):
    """Any two laws, with outcome names and a header."""
    masses = [sum(column) for column in zip(*pairs, strict=True)]
    lines = [["o", "P", "Q"], *([f"y{k}", f"{a}/{masses[0]}", f"{b}/{masses[1]}"] for k, (a, b) in enumerate(pairs))]
    channel = read_delimited("\n".join(map(separator.join, lines)), separator, "t")
    rows = [[f"{pair[k]}/{masses[k]}" for pair in pairs] for k in (0, 1)]
    assert channel == Channel(rows, inputs=["P", "Q"], outputs=[f"y{k}" for k in range(len(pairs))])


def test_a_byte_order_mark_inside_is_refused():
    """At the start of a file it is taken off before; elsewhere it would hide in a label or a cell."""
    with pytest.raises(InputError, match=r"t\.csv line 2: expected a byte-order mark at the start"):
        read("outcome,p,q\n\ufeffa,1/2,1/4\nb,1/2,3/4\n")


def test_other_spaces_are_kept():
    """U+00A0 is no space between cells: in a label it stays, in a number it is refused."""
    assert read("outcome,p,q\n\u00a0a,1/2,1/4\nb,1/2,3/4\n").outputs == ("\u00a0a", "b")
    with pytest.raises(InputError, match="line 2, column p"):
        read("outcome,p,q\na,\u00a01/2,1/4\nb,1/2,3/4\n")


def test_an_empty_cell_at_the_end_names_its_column():
    """In one line, or in all of them."""
    with pytest.raises(InputError, match=r"got 4 \(column 4 is empty"):
        read("outcome,p,q\na,1/2,1/4,\nb,1/2,3/4\n")
    with pytest.raises(InputError, match=r"column 4: expected a probability, got an empty cell"):
        read("outcome,p,q,\na,1/2,1/4,\nb,1/2,3/4,\n")
