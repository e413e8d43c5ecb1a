"""``oracle schema``: the JSON Schemas of the documents that the oracle reads and writes."""

from __future__ import annotations

import click


@click.command(epilog="\b\nExamples:\n  oracle schema\n  oracle schema channel > channel.schema.json")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Without NAME: the names as JSON. (A schema always is JSON.)")
def schema(name: str | None, as_json: bool) -> None:
    """Print the JSON Schema called NAME, or without NAME list the schemas there are, each with its title."""
    from oracle.errors import InputError, shorten  # noqa: PLC0415
    from oracle.fixtures import fixture  # noqa: PLC0415
    from oracle.json_text import dump_line, parse  # noqa: PLC0415

    folder = fixture("schemas")
    suffix = ".schema.json"
    names = sorted(path.name.removesuffix(suffix) for path in folder.iterdir() if path.name.endswith(suffix))
    if name is None:
        if as_json:
            click.echo(dump_line(names))
            return
        width = max(map(len, names)) + 2
        for known in names:
            document = parse((folder / f"{known}{suffix}").read_text(encoding="utf-8"))
            click.echo(f"{known:{width}}{document['title']}")
        return
    if name not in names:
        raise InputError("one of the schemas " + ", ".join(names), shorten(name), "NAME")
    click.echo((folder / f"{name}{suffix}").read_text(encoding="utf-8"), nl=False)
