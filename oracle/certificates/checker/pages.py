"""An audit report inside its HTML page: the data that the page carries.

The page as people see it is a view; only the report inside is checked here.  `oracle verify`, which has the renderer,
also makes the page again and compares.
"""

from __future__ import annotations

from .verdict import Rejected

_START = b'<script type="application/json" id="report">'
_END = b"</script>"


def report_in(data: bytes) -> bytes:
    """The report in a page; data that are no HTML page as they are.  Raise `Rejected` for a page without just one."""
    if not data.removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith((b"<!doctype", b"<html")):
        return data
    if data.count(_START) != 1 or data.lower().count(b"<script") != 1:
        raise Rejected("expected a page with one report in it, and no script beside", "$")
    inner, end, _ = data.partition(_START)[2].partition(_END)
    if not end:
        raise Rejected("the report in the page has no end", "$")
    return inner
