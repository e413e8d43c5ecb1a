"""Conformance runs as one HTML page: what is in it, and in headless Chromium what can be done with it."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from oracle.render.conformance_html import render
from oracle.render.conformance_libraries import Library, read_libraries
from tests.render import chromium
from tests.render.conformance_streams import EVERY, GAPS, HEADER, hostile, law, result, run, write_libraries

OTHER = HEADER | {"subject": {"name": "otherlib", "version": "2"}}
TWO = [
    Library(run([*EVERY, result("exact", case="mu/one", concept="mu"), law("delta falls", "broken", reason="at 1/2")])),
    Library(run([result("sound", case="renyi/two", concept="renyi", gap=GAPS["sound"])], OTHER, footer=None)),
]
HOSTILE = Library(hostile())
WIDTHS = (390, 1440)
VOID = {"meta", "input", "br"}


class Outline(HTMLParser):
    """Elements, their nesting, ids and addresses."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.other: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append(tag)
        self.open += [] if tag in VOID else [tag]
        for name, value in attrs:
            self.ids += [value or ""] if name == "id" else []
            self.links += [value or ""] if name == "href" else []
            self.other += [name] if name in ("src", "style", "action") or name.startswith("on") else []

    def handle_endtag(self, tag: str) -> None:
        """It must close the one opened last."""
        assert self.open.pop() == tag


@pytest.mark.parametrize("runs", [TWO, TWO[:1], [HOSTILE], [Library(run([]))]])
@pytest.mark.parametrize("every_case", [True, False])
def test_the_page_is_well_formed_and_needs_nothing_else(runs: list[Library], every_case: bool) -> None:
    """Every element is closed, ids are unique, links lead to ids of the page, and nothing is loaded from anywhere."""
    outline = Outline(render(runs, every_case=every_case))
    assert outline.open == []
    assert len(set(outline.ids)) == len(outline.ids)
    assert {link.removeprefix("#") for link in outline.links} <= set(outline.ids)
    assert outline.other == []
    assert outline.tags.count("script") == outline.tags.count("style") == 1


def test_the_policy_allows_the_script_and_the_style_of_the_page_alone() -> None:
    """By their hashes; everything else is forbidden."""
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', render(TWO))
    assert policy is not None
    words = policy[1].split()
    assert words[:2] == ["default-src", "'none';"]
    hashes = [word.strip("';") for word in words if "sha256-" in word]
    assert [len(b64decode(word.removeprefix("sha256-"))) for word in hashes] == [32, 32]
    assert "unsafe-inline" not in policy[1]


def test_the_matrix_has_a_row_for_each_library_and_a_column_for_each_concept() -> None:
    """A cell says how many answers are on the claimed side; what a library was not asked is said so."""
    text = render(TWO)
    table = text[text.index('id="matrix-table"') :]
    table = table[: table.index("</table>")]
    assert re.findall(r'<th scope="col">([^<]*)</th>', table) == ["library", "profile", "mu", "renyi"]
    cells = [re.findall(r"<span[^>]*>([^<]*)</span>", cell) for cell in table.split("<td")[1:]]
    worst_first = ["1 unsound", "1 wrong", "1 rounding", "1 crashed", "1 timeout", "1 errored", "1 inconclusive"]
    assert cells == [[*worst_first, "2 sound", "1 loose", "1 declined"], ["1 sound"], [], [], [], ["1 sound"]]
    assert table.count("not asked") == 3
    assert '<td class="good"><a href="#run-1-concept-2"><span class="line">1 sound</span></a>' in table


def test_the_page_tells_each_case_that_needs_a_look() -> None:
    """Args, answer, truth, gap, flags with their meaning and the entry that lists it as known."""
    event = result("unsound", args={"delta": "1e-40"}, flags=["TinyDelta"], gap=GAPS["unsound"])
    text = render([Library(run([event]))])
    for part in ("TinyDelta (soundness)", "A zero is unsafe", "1e-40", "-1/8, +3 ulp", "[[known]]"):
        assert part in text
    assert "FINDINGS" in text


def test_what_a_subject_says_is_no_markup() -> None:
    """It is text in the page, and control characters are written out."""
    text = render([HOSTILE])
    assert "<img" not in text
    assert text.count("<script>") == 1
    assert "\x1b" not in text
    assert r"\x1b[31m" in text


@pytest.fixture
def index(tmp_path: Path) -> str:
    """The page of two libraries from their folders, with root causes, that only counts what passed."""
    write_libraries(tmp_path)
    return render(read_libraries(tmp_path), every_case=False)


def test_a_library_has_the_name_of_its_folder(index: str) -> None:
    """Several runs may be of one library; the version is that of the library."""
    table = index[index.index('id="headline-table"') : index.index('id="matrix"')]
    assert re.findall(r'<a href="#run-\d">([^<]*)</a>', table) == ["other 2", "some-lower 1.2.3"]
    assert re.findall(r'<td class="number">(.*?)</td>', table)[:3] == ["0 of 1", "0", "4e-10"]


def test_the_index_lists_failures_and_counts_what_passed(index: str) -> None:
    """No loose, sound, exact or declined case has an entry."""
    listed = re.findall(r'data-verdict="([^"]*)"', index)
    assert set(listed) == {"unsound", "wrong", "crashed", "timeout", "errored", "unsound-rounding", "inconclusive"}
    assert "[[known]]" not in index


def test_the_operations_are_counted_and_the_declined_ones_only_named(index: str) -> None:
    """A row for each op that answered something."""
    table = index[index.index('id="run-2-operations"') :]
    assert re.findall(r'<th scope="row">([^<]*)</th>', table[: table.index("</table>")]) == ["delta", "epsilon"]
    assert "Every case declined: mu (1)." in table


def test_a_root_cause_leads_to_its_cases_and_they_lead_back(index: str) -> None:
    """With the script that shows it, what that printed, and the versions it ran with."""
    at = index.index('id="run-2-cause-tiny-delta"')
    cause = index[at : index.index("</details>", at)]
    for part in (
        "<strong>tiny-delta</strong> failing-open, 2 cases",
        "A small delta becomes 0. It is claimed to be an upper bound.",
        '<a href="./some-lower/tiny-delta.py">tiny-delta.py</a>',
        "print(&quot;&lt;delta&gt;&quot;)",
        "<pre>0.0 &lt; 1e-40</pre>",
        "somelib 1.2.3, numpy 2.4",
        "<dt>truth</dt><dd>1e-40 to 1.1e-40</dd>",
    ):
        assert part in cause
    (case,) = re.findall(r'Explains <a href="#(run-2-case-\d+)">profile/unsound</a>, law:gone', cause)
    entry = index[index.index(f'id="{case}"') :]
    assert 'Root cause: <a href="#run-2-cause-tiny-delta">' in entry[: entry.index("</details>")]


needs_browser = pytest.mark.skipif(chromium.installed() is None, reason="no Chromium is installed")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[chromium.Page]:
    with chromium.page(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def opened(browser: chromium.Page, tmp_path: Path) -> chromium.Page:
    """The page about two libraries, opened from a file."""
    (tmp_path / "report.html").write_text(render(TWO), encoding="utf-8")
    browser.open(tmp_path / "report.html")
    return browser


VISIBLE = "Array.from(document.querySelectorAll('{}')).map(item => item.checkVisibility())"
PAUSE = "new Promise(done => setTimeout(done, 300))"
SHOWN = "Array.from(document.querySelectorAll('details.case')).filter(d => d.offsetParent).map(d => d.dataset.verdict)"
FOCUSED = "document.activeElement.closest('details.case')?.dataset.verdict ?? document.activeElement.id"


@pytest.mark.browser
@needs_browser
def test_the_page_runs_without_a_complaint_and_asks_for_nothing(opened: chromium.Page) -> None:
    """One request, for itself; the search is there once the script runs."""
    assert opened.troubles() == []
    assert [url[:7] for url in opened.requests()] == ["file://"]
    assert opened.evaluate("!document.getElementById('search').hidden")
    assert opened.evaluate("getComputedStyle(document.querySelector('h1')).fontSize") == "24px"


@pytest.mark.browser
@needs_browser
def test_searching_hides_what_does_not_fit(opened: chromium.Page) -> None:
    """Every word must occur; the count is told; Escape brings everything back."""
    everything = opened.evaluate(SHOWN)
    opened.press("/")
    opened.type("rounding profile")
    opened.evaluate(PAUSE)
    assert opened.evaluate(SHOWN) == ["unsound-rounding"]
    assert opened.evaluate("document.getElementById('told').textContent") == "2 of 21 entries shown"
    opened.press("Escape")
    opened.evaluate(PAUSE)
    assert opened.evaluate(SHOWN) == everything
    opened.evaluate(
        "(v => { v.value = 'wrong'; v.dispatchEvent(new Event('change')) })(document.getElementById('verdict'))"
    )
    assert opened.evaluate(SHOWN) == ["wrong"]


@pytest.mark.browser
@needs_browser
def test_the_keyboard_walks_through_the_cases(opened: chromium.Page) -> None:
    """The keys j and k move, Enter opens, e and c open and close all; in the search field they are letters."""
    order = opened.evaluate(SHOWN)
    opened.press("j")
    opened.press("j")
    assert opened.evaluate(FOCUSED) == order[1]
    opened.press("k")
    assert opened.evaluate(FOCUSED) == order[0]
    opened.press("Enter")
    assert opened.evaluate("document.querySelector('details.case').open") is True
    opened.press("e")
    assert opened.evaluate("document.querySelectorAll('details.case:not([open])').length") == 0
    opened.press("c")
    assert opened.evaluate("document.querySelectorAll('details.case[open]').length") == 0
    opened.press("/")
    opened.type("je")
    assert opened.evaluate("document.getElementById('query').value") == "je"


@pytest.mark.browser
@needs_browser
def test_a_cell_of_the_matrix_leads_to_its_cases(opened: chromium.Page) -> None:
    """By its link, which a keyboard reaches too."""
    opened.evaluate("document.querySelector('#matrix-table td a').click()")
    assert opened.evaluate("location.hash") == "#run-1-concept-1"
    assert opened.evaluate("document.getElementById('run-1-concept-1').getBoundingClientRect().top < innerHeight")


@pytest.mark.browser
@needs_browser
def test_nothing_that_a_subject_says_runs(browser: chromium.Page, tmp_path: Path) -> None:
    """Not a script, not an event handler: the title stays and the text is there to read."""
    (tmp_path / "hostile.html").write_text(render([HOSTILE]), encoding="utf-8")
    browser.open(tmp_path / "hostile.html")
    assert browser.evaluate("document.title").endswith(": conformance")
    assert browser.evaluate("document.querySelectorAll('img').length") == 0
    assert "onerror=alert(1)" in browser.evaluate("document.body.textContent")
    assert browser.troubles() == []


@pytest.mark.browser
@needs_browser
def test_on_paper_every_case_is_open_and_the_search_is_gone(opened: chromium.Page) -> None:
    """The print style shows closed cases too."""
    opened.call("Emulation.setEmulatedMedia", media="print")
    try:
        assert opened.evaluate("getComputedStyle(document.getElementById('search')).display") == "none"
        assert set(opened.evaluate(VISIBLE.format("details.case dl"))) == {True}
        assert b64decode(opened.call("Page.printToPDF")["data"]).startswith(b"%PDF")
    finally:
        opened.call("Emulation.setEmulatedMedia", media="")


@pytest.mark.browser
@needs_browser
def test_the_page_reads_without_its_script(browser: chromium.Page, tmp_path: Path) -> None:
    """Every case and the matrix are there; only the search is not."""
    (tmp_path / "plain.html").write_text(render(TWO), encoding="utf-8")
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(tmp_path / "plain.html")
        everything = browser.evaluate(SHOWN.replace(".filter(d => d.offsetParent)", ""))
        assert browser.evaluate(SHOWN) == everything != []
        assert browser.evaluate("document.getElementById('search').hidden")
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)


@pytest.mark.browser
@needs_browser
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_index_fits_a_phone_and_a_desk(
    browser: chromium.Page, index: str, tmp_path: Path, width: int, scheme: str
) -> None:
    """Whatever is open, the page does not scroll sideways, only its tables do; every text has enough contrast."""
    (tmp_path / "index.html").write_text(index, encoding="utf-8")
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 500)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    try:
        browser.open(tmp_path / "index.html")
        browser.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
        assert browser.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert browser.evaluate(f"({CONTRAST})()") >= 4.5
        assert browser.troubles() == []
    finally:
        browser.call("Emulation.clearDeviceMetricsOverride")
        browser.call("Emulation.setEmulatedMedia", features=[])


CONTRAST = """() => {
  const numbers = (colour) => colour.match(/[0-9.]+/g).map(Number);
  const light = (colour) => numbers(colour).slice(0, 3).map((c) => c / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
  const ground = (item) => {
    const colour = getComputedStyle(item).backgroundColor;
    return numbers(colour)[3] === 0 ? ground(item.parentElement) : colour;
  };
  const ratio = (item) => {
    const both = [light(getComputedStyle(item).color), light(ground(item))].sort((a, b) => a - b);
    return (both[1] + 0.05) / (both[0] + 0.05);
  };
  const texts = Array.from(document.querySelectorAll("body *")).filter((item) => item.innerText?.trim());
  return Math.min(...texts.map(ratio));
}"""


@pytest.mark.browser
@needs_browser
def test_the_index_is_searched_by_library_and_walked_by_keyboard(
    browser: chromium.Page, index: str, tmp_path: Path
) -> None:
    """A search hides the libraries without a match; a link to a hidden case ends it; n goes to the next library."""
    (tmp_path / "index.html").write_text(index, encoding="utf-8")
    browser.open(tmp_path / "index.html")
    libraries = "Array.from(document.querySelectorAll('section.library:not([hidden])')).map(s => s.dataset.name)"
    assert browser.evaluate(libraries) == ["other 2", "some-lower 1.2.3"]
    browser.press("n")
    assert browser.evaluate("document.activeElement.textContent").startswith("other 2")
    browser.press("/")
    browser.type("some-lower tiny-delta")
    browser.evaluate(PAUSE)
    assert browser.evaluate(libraries) == ["some-lower 1.2.3"]
    found = "Array.from(document.querySelectorAll('details.case:not([hidden])')).map(d => d.dataset.verdict)"
    assert browser.evaluate(found) == ["unsound", "unsound"]
    browser.evaluate("location.hash = document.querySelector('[data-verdict=crashed]').id")
    browser.evaluate(PAUSE)
    assert browser.evaluate(libraries) == ["other 2", "some-lower 1.2.3"]
    assert browser.evaluate("document.querySelector('[data-verdict=crashed]').open")


@pytest.mark.browser
@needs_browser
def test_the_index_on_paper_has_a_line_for_each_case(browser: chromium.Page, index: str, tmp_path: Path) -> None:
    """Root causes are told in full."""
    (tmp_path / "index.html").write_text(index, encoding="utf-8")
    browser.open(tmp_path / "index.html")
    browser.call("Emulation.setEmulatedMedia", media="print")
    try:
        assert browser.evaluate(VISIBLE.format("details.cause dl")) == [True]
        assert set(browser.evaluate(VISIBLE.format("details.case:not(.cause) dl"))) == {False}
        assert b64decode(browser.call("Page.printToPDF")["data"]).startswith(b"%PDF")
    finally:
        browser.call("Emulation.setEmulatedMedia", media="")
