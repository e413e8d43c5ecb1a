"""``oracle vectors``: make, check and copy the vectors of the conformance suite."""

from __future__ import annotations

import sys
from pathlib import Path

import click

EXAMPLES = """\b
Examples:
  oracle vectors lint
  oracle vectors copy third_party/oracle-vectors
  oracle vectors build --check
  oracle vectors build fixtures/vectors/v1

\b
Exit codes: 0 done, 1 a truth would change or a rule is broken, 2 bad usage or input.
"""


@click.group(epilog=EXAMPLES)
def vectors() -> None:
    """Make, check and copy the vectors of the conformance suite."""


@vectors.command(epilog="\b\nExamples:\n  oracle vectors build --check\n  oracle vectors build fixtures/vectors/v1")
@click.argument("directory", required=False, metavar="[DIR]", type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if a file would change.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def build(directory: Path | None, check: bool, as_json: bool) -> None:
    """Answer every question anew, confirm it by a second way, and write what changed.

    DIR is the folder of the suite, by default the one that comes with the oracle. A case that is there keeps its
    question and its truth: what would change either is refused unless ERRATA.md names its id.
    """
    from oracle.conformance.vector_building import VectorError  # noqa: PLC0415 - --help loads no engine
    from oracle.conformance.vector_building import build as built  # noqa: PLC0415
    from oracle.fixtures import fixture  # noqa: PLC0415
    from oracle.json_text import dump_line  # noqa: PLC0415
    from oracle.writing import require_writable, write_all  # noqa: PLC0415

    where = directory or fixture("vectors/v1")
    if not check:
        require_writable(where)
    try:
        files = built(where, _progress if sys.stderr.isatty() else None)
    except VectorError as error:
        click.echo(f"oracle: {error}", err=True)
        raise SystemExit(1) from None
    changed = sorted(name for name, data in files.items() if _bytes(where / name) != data)
    stale = sorted(
        path.relative_to(where).as_posix()
        for path in where.rglob("*.json")
        if path.relative_to(where).as_posix() not in {*files, "VERSION.json"}
    )
    if not check:
        write_all(where, files, [where / name for name in stale])
    if as_json:
        click.echo(dump_line({"files": len(files), "changed": changed, "removed": stale, "written": not check}))
    else:
        verb = "would change" if check else "written"
        for name in changed:
            click.echo(f"{verb}: {name}")
        for name in stale:
            click.echo(f"{'would go' if check else 'removed'}: {name}")
        click.echo(f"{len(files) - 1} files of vectors, {len(changed)} changed")
    if check and (changed or stale):
        raise SystemExit(1)


def _progress(path: str, done: int, count: int) -> None:
    click.echo(f"\r{done}/{count} {path:<60}", err=True, nl=done == count)


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


@vectors.command(epilog="\b\nExamples:\n  oracle vectors lint\n  oracle vectors lint third_party/oracle-vectors --json")
@click.argument("directory", required=False, metavar="[DIR]", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def lint(directory: Path | None, as_json: bool) -> None:
    """Check a folder of vectors against every rule: form, hashes, ids, flags, widths, certificates, errata."""
    from oracle.conformance.linting import lint as linted  # noqa: PLC0415 - --help loads no engine
    from oracle.fixtures import fixture  # noqa: PLC0415
    from oracle.json_text import dump_line  # noqa: PLC0415

    where = directory or fixture("vectors/v1")
    problems = linted(where)
    if as_json:
        click.echo(dump_line({"problems": problems}))
    else:
        click.echo("\n".join(problems) if problems else "every rule is kept")
    if problems:
        raise SystemExit(1)


@vectors.command(epilog="\b\nExamples:\n  oracle vectors copy third_party/oracle-vectors")
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def copy(directory: Path, as_json: bool) -> None:
    """Copy the vectors into DIR, with their README, errata, schema and a stamp VERSION.json.

    What an earlier copy left in DIR (its VERSION.json says which files) is replaced; anything else is kept.
    """
    from oracle import __version__  # noqa: PLC0415 - --help loads no engine
    from oracle.conformance.cases import MANIFEST, installed_suite  # noqa: PLC0415
    from oracle.conformance.linting import BESIDE  # noqa: PLC0415
    from oracle.fixtures import fixture  # noqa: PLC0415
    from oracle.json_text import canonical, dump_line, read_bytes  # noqa: PLC0415
    from oracle.writing import write_all  # noqa: PLC0415

    suite = installed_suite()
    names = [name for name in BESIDE if (suite.directory / name).is_file()]
    names += [file.path for file in suite.files]
    files = {name: read_bytes(suite.directory / name) for name in names}
    files["vectors-v1.schema.json"] = read_bytes(fixture("schemas/vectors-v1.schema.json"))
    files[MANIFEST] = read_bytes(suite.directory / MANIFEST)
    stamp = {"suite": suite.version, "manifest": suite.digest, "oracle": __version__, "files": sorted(files)}
    stale = [directory / name for name in _earlier(directory) if name not in files]
    files["VERSION.json"] = (canonical(stamp) + "\n").encode()
    write_all(directory, files, stale)
    if as_json:
        click.echo(dump_line(stamp))
    else:
        click.echo(f"{len(suite.cases)} cases in {len(suite.files)} files, suite {suite.version}, to {directory}")


def _earlier(directory: Path) -> list[str]:
    """The files that an earlier copy wrote there, as its stamp says; nothing outside the folder."""
    from oracle.errors import InputError  # noqa: PLC0415 - --help loads no engine
    from oracle.json_text import parse, read_text  # noqa: PLC0415

    stamp = directory / "VERSION.json"
    if not stamp.is_file():
        return []
    document = parse(read_text(stamp), str(stamp))
    names = document.get("files") if isinstance(document, dict) else None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError("the stamp of an earlier copy", "another file", str(stamp))
    return [name for name in names if not name.startswith("/") and ".." not in Path(name).parts]
