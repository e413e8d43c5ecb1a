"""A headless Chromium driven over its debugging pipe, with nothing but the standard library."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def installed() -> str | None:
    """The program, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    """One page, by the DevTools protocol: JSON messages that end in a zero byte."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._buffer = b""
        self._last = 0
        self._session: str | None = None
        self.log: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            part = os.read(self._read, 1 << 16)
            if not part:
                raise EOFError("the browser ended")
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """One command and its result; events that come before it go to the log."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            reply = self._message()
            if reply.get("id") != self._last:
                self.log.append(reply)
                continue
            if "error" in reply:
                raise RuntimeError(reply["error"])
            return reply["result"]

    def open(self, path: Path) -> None:
        """Go to a file and wait until it is loaded."""
        self.log.clear()
        self.call("Page.navigate", url=path.as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.log):
            self.log.append(self._message())

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"])
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """A key, as a keyboard sends it."""
        text = {"Enter": "\r", "Escape": "", "Tab": ""}.get(key, key)
        code = {"Enter": 13, "Escape": 27, "Tab": 9}.get(key, 0)
        event = {"key": key, "text": text, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", **event)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def type(self, text: str) -> None:
        """Text, key by key."""
        for key in text:
            self.press(key)

    def requests(self) -> list[str]:
        """Every address that the page asked for since it was opened."""
        events = (event for event in self.log if event.get("method") == "Network.requestWillBeSent")
        return [event["params"]["request"]["url"] for event in events]

    def troubles(self) -> list[dict[str, Any]]:
        """Exceptions, refused scripts and whatever else the browser complained about."""
        return [e for e in self.log if e.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded")]


@contextmanager
def page(profile: Path) -> Iterator[Page]:
    """A page of a fresh browser."""
    program = installed()
    assert program is not None
    to_browser, our_write = os.pipe()
    our_read, from_browser = os.pipe()
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe"]

    def place() -> None:
        # 3 and 4 are where the browser looks; taken by way of high numbers, lest one overwrite the other.
        read, write = os.dup(to_browser), os.dup(from_browser)
        os.dup2(read, 3)
        os.dup2(write, 4)

    process = subprocess.Popen(
        [program, *flags, f"--user-data-dir={profile}"],
        preexec_fn=place,  # noqa: PLW1509 - one thread
        close_fds=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_browser)
    os.close(from_browser)
    try:
        opened = Page(our_write, our_read)
        yield opened
    finally:
        with suppress(OSError):
            os.close(our_write)
        process.kill()
        process.wait()
        os.close(our_read)
