"""The page of a report: a view of it, readable by everyone, in which nothing from a file acts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from oracle.audits.run import audit
from oracle.fixtures import fixture
from oracle.json_text import canonical
from oracle.render.audit_html import first_difference, render
from oracle.render.report_page import DATA
from tests.render import chromium

FAIR = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]], "inputs": ["yes", "no"], "outputs": ["says yes", "says no"]}
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
TREE = {
    "interactive": {
        "query": {
            "ask": {"answer": {"a": {"p": "3/4", "q": "1/4"}, "b": {"p": "1/4", "q": "3/4"}}},
            "do not": {"answer": {"c": {"p": "1", "q": "1"}}},
        }
    }
}
DOCUMENTS = {
    "refuted": (FAIR, ["exp_eps=2"]),
    "holds": (FAIR, ["exp_eps=3", "mu=3/2"]),
    "several": (FAIR, ["exp_eps=2", {"tradeoff": {"breakpoints": [["0", "1"], ["1", "0"]]}}, "rho=2", "rdp=2:1"]),
    "continuous": ({"mechanism": "gaussian", "sigma": "1"}, ["mu=1", "eps=1,delta=1/100"]),
    "interactive": (TREE, ["exp_eps=2"]),
    "expression": ({"mechanism": "randomized_response", "epsilon": "1"}, ["eps=1"]),
    "pairs": (
        {"matrix": [["3/4", "1/4"], ["1/4", "3/4"], ["1/2", "1/2"]], "pairs": [["P1", "P2"], ["P2", "P3"]]}
        | {"inputs": ["P1", "P2", "P3"]},
        ["exp_eps=2"],
    ),
}


SAMPLES = {
    "counts": ("randomized_response_1000.csv", ["exp_eps=2,delta=1/1000", "eps=5"]),
    "one run": ("one_run_1000_canaries.json", ["exp_eps=4,delta=1e-5"]),
}
NAMES = [*DOCUMENTS, *SAMPLES]


def document(name):
    """The report of one of the examples."""
    if name in SAMPLES:
        file, claims = SAMPLES[name]
        return audit(fixture(f"samples/{file}"), claims, event="declared").document
    table, claims = DOCUMENTS[name]
    return audit(table, claims).document


class Outline(HTMLParser):
    """Elements that must match, heading levels, and what is hidden from nobody."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[int] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """An element that must be closed, unless it holds nothing."""
        names = dict(attrs)
        self.ids += [names["id"]] if "id" in names else []
        if tag[0] == "h" and tag[1:].isdigit():
            self.headings.append(int(tag[1:]))
        if tag == "svg":
            assert names.get("role") == "img" or names.get("aria-hidden") == "true"
        if tag == "img":
            assert names["alt"]
        if tag == "th":
            assert names["scope"] == "col"
        if tag not in {"meta", "img", "br"}:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        """Shapes of a drawing."""

    def handle_endtag(self, tag):
        """It closes the one that was opened last."""
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_well_formed(name):
    """Elements match, each id is there once, headings come in order, the language is named."""
    text = render(document(name))
    outline = Outline(text)
    assert outline.open == []
    assert len(outline.ids) == len(set(outline.ids))
    assert outline.headings[0] == 1
    assert all(later - earlier <= 1 for earlier, later in zip(outline.headings, outline.headings[1:], strict=False))
    assert '<html lang="en">' in text
    assert text.count("<table>") == text.count("<caption>")


@pytest.mark.parametrize("name", NAMES)
def test_the_report_stands_in_the_page(name):
    """As data that read back to the same canonical text."""
    found = document(name)
    data = render(found).partition(DATA)[2].partition("</script>")[0]
    assert canonical(json.loads(data)) == canonical(found)


def test_the_verdict_comes_first():
    """In the title and in the only first heading."""
    text = render(document("refuted"))
    assert "<title>REFUTED: epsilon = log(2), delta = 0</title>" in text
    assert "<h1>REFUTED: epsilon = log(2), delta = 0</h1>" in text
    assert "<dt>event</dt><dd>S = {says yes}: P(S) = 3/4 (0.75), Q(S) = 1/4 (0.25)</dd>" in text
    assert '<polygon class="gap"' in text
    assert '<circle class="mark"' in text
    for sentence in document("refuted")["limits"]:
        assert f"<li>{sentence}</li>" in text


def test_a_page_about_counts_has_the_inequality_and_the_assumptions():
    """As the checker says them; of what is undecided it says that this is no sign that it holds."""
    text = render(document("counts"))
    assert "P[Bin(1000, 7219/10000) &gt;= 750] &lt;= 1/40" in text
    assert "<h3>Declared or assumed, not checked</h3>" in text
    assert "undecided" in text
    for sentence in document("counts")["assumptions"]:
        assert f"<li>{sentence}</li>" in text


def test_a_claim_that_holds_shows_no_gap():
    """Curves and a profile, and the witness."""
    text = render(document("holds"))
    assert text.count('<svg role="img"') == 3
    assert '<polygon class="gap"' not in text
    assert "row-stochastic W" in text


def test_there_is_no_script_and_nothing_to_fetch():
    """The only script element holds data, which is never run; the policy allows the one style."""
    text = render(document("several"))
    assert text.count("<script") == 1
    assert "http" not in text.replace("http-equiv", "")
    assert "default-src 'none'; img-src data:; style-src 'sha256-" in text


def test_nothing_from_a_file_is_markup():
    """Labels with tags are text, in the data too."""
    table = {"matrix": FAIR["matrix"], "inputs": [HOSTILE, "no"], "outputs": [f"{HOSTILE}1", f"{HOSTILE}2"]}
    text = render(audit(table, "exp_eps=2").document)
    assert text.count("<script") == 1
    assert text.count("</script>") == 1
    assert "<img" not in text
    assert Outline(text).open == []


def test_a_page_that_was_changed_is_found_out():
    """By the line of the first difference; the page itself has none."""
    found = document("refuted")
    page = render(found)
    assert first_difference(page, found) is None
    assert first_difference(page.replace("REFUTED", "HOLDS", 1), found) == "line 7"
    assert first_difference(page + "x", found) is not None


def test_the_page_is_the_same_each_time():
    """Deterministic, and small for a curve of 200 corners."""
    count = 200
    weights = [[k + 1 for k in range(count)], [count - k for k in range(count)]]
    table = {"matrix": [[f"{w}/{sum(row)}" for w in row] for row in weights]}
    pages = [render(audit(table, "exp_eps=5,delta=1/10").document) for _ in range(2)]
    assert pages[0] == pages[1]
    assert len(pages[0].encode()) < 500_000


needs_browser = pytest.mark.skipif(chromium.installed() is None, reason="no Chromium is installed")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[chromium.Page]:
    with chromium.page(tmp_path_factory.mktemp("profile")) as page:
        yield page


def opened(browser: chromium.Page, folder: Path, name: str, width: int) -> chromium.Page:
    """A page in a window of a width."""
    (folder / "report.html").write_text(render(document(name)), encoding="utf-8")
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500)
    browser.open(folder / "report.html")
    return browser


CONTRAST = """(() => {
  const light = c => { const v = c.map(x => x / 255).map(x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
    return .2126 * v[0] + .7152 * v[1] + .0722 * v[2] };
  const parse = s => s.match(/[\\d.]+/g).map(Number);
  const ground = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c.slice(0, 3) } return [255, 255, 255] };
  let least = 21;
  for (const e of document.querySelectorAll('body *')) {
    const shown = [...e.childNodes].some(n => n.nodeType == 3 && n.textContent.trim());
    if (!shown || e.closest('script') || !e.getClientRects().length) continue;
    const style = getComputedStyle(e), own = parse(e.closest('svg') ? style.fill : style.color).slice(0, 3);
    const [a, b] = [light(own), light(ground(e.closest('svg')?.parentElement ?? e))].sort((x, y) => y - x);
    least = Math.min(least, (a + .05) / (b + .05));
  }
  return least })()"""


@pytest.mark.browser
@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", NAMES)
def test_the_page_fits_a_phone_and_a_desk(browser, tmp_path, name, width):
    """It never scrolls sideways, complains about nothing and asks for nothing but itself."""
    page = opened(browser, tmp_path, name, width)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.troubles() == []
    assert [url.partition(":")[0] for url in page.requests() if not url.startswith("data:")] == ["file"]


@pytest.mark.browser
@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["refuted", "several", "counts"])
def test_every_text_stands_out_from_its_ground(browser, tmp_path, name, scheme):
    """Contrast at least 4.5 to 1, by day and in the dark."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.call("Emulation.setEmulatedMedia", features=features)
    try:
        assert opened(browser, tmp_path, name, 1280).evaluate(CONTRAST) >= 4.5
    finally:
        browser.call("Emulation.setEmulatedMedia", features=[])


@pytest.mark.browser
@needs_browser
def test_what_scrolls_is_reached_by_keyboard_and_named(browser, tmp_path):
    """Every box that scrolls can have the focus and has a name; every figure a description."""
    page = opened(browser, tmp_path, "several", 390)
    boxes = "[...document.querySelectorAll('.scroll')].every(e => e.tabIndex == 0 && e.getAttribute('aria-label'))"
    assert page.evaluate(boxes)
    assert page.evaluate(
        "[...document.querySelectorAll('figure > svg')].every(e => e.querySelector('desc').textContent)"
    )


@pytest.mark.browser
@needs_browser
def test_on_paper_everything_is_open(browser, tmp_path):
    """What is folded on the screen is printed."""
    page = opened(browser, tmp_path, "interactive", 1280)
    page.call("Emulation.setEmulatedMedia", media="print")
    try:
        assert page.evaluate("[...document.querySelectorAll('details > :not(summary)')].every(e => e.offsetHeight > 0)")
        assert len(page.call("Page.printToPDF")["data"]) > 10_000
    finally:
        page.call("Emulation.setEmulatedMedia", media="")
