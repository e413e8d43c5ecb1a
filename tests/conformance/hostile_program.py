"""A program under test that misbehaves on demand: its first argument says how, the second at which case (0: at all)."""

from __future__ import annotations

import json
import os
import sys
import time

HELLO = {"name": "hostile", "version": "1", "protocol": 1, "ops": ["delta"], "claims": "upper"}


def misbehave(mode: str, identity: str, good: str) -> str:
    if mode == "crash":
        print("about to fail", file=sys.stderr, flush=True)
        os._exit(3)
    if mode == "hang":
        time.sleep(1000)
    if mode == "flood":
        while True:
            print("noise")
    return {
        "good": good,
        "chatty": f"loading tables\n{{not json}}\n\n[1, 2]\n{good}",
        "wrong-id": good.replace(identity, "another"),
        "twice": f"{good}\n{good}",
        "out-of-order": good.replace(identity, "a-later-one") + "\n" + good,
        "float": f'{{"id": "{identity}", "value": 0.5}}',
        "nan": f'{{"id": "{identity}", "value": NaN}}',
        "nan-text": f'{{"id": "{identity}", "value": "nan"}}',
        "both": f'{{"id": "{identity}", "value": "1", "error": "no"}}',
        "torn": good[:15],
        "python": str({"id": identity, "value": "1"}),
        "list": f'["{identity}", "1"]',
        "long-noise": "x" * 10_000_000 + "\n" + good,
        "long-value": f'{{"id": "{identity}", "value": "{"1" * 10_000_000}"}}',
        "null-error": '{"id": null, "error": "cannot read this"}',
    }[mode]


def main() -> None:
    mode, number = sys.argv[1], int(sys.argv[2])
    count = 0
    for line in sys.stdin:
        request = json.loads(line)
        identity = request["id"]
        if request["op"] == "hello":
            if mode == "declines-hello":
                print(json.dumps({"id": identity, "declined": "no"}), flush=True)
            elif mode == "crash-at-start":
                os._exit(7)
            else:
                print(json.dumps({"id": identity, "value": HELLO}), flush=True)
            continue
        count += 1
        good = json.dumps({"id": identity, "value": "1"})
        plain = mode in ("declines-hello", "crash-at-start") or (number and count != number)
        print(good if plain else misbehave(mode, identity, good), flush=True)


main()
