"""What the user declares beside an audit: facts that no arithmetic can check, by the registry's field names.

The names are those of the public registry of differential privacy deployments, below its ``deployment``, so that a
record can be filled from a report and the other way round. It has no field for the neighbouring relation and none for
where a claim is made; both have one here. A report prints all of them as declared and not checked.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from oracle.audits.report import Report
from oracle.errors import InputError, shorten
from oracle.json_text import canonical, digest, parse, read_text
from oracle.yaml_text import parse_yaml

__all__ = ["DECLARED_FILE", "FIELDS", "SHORT_NAMES", "declare", "read_declared"]

FIELDS: Final = (
    *("basic.name", "basic.data_curators", "basic.intended_use", "basic.data_product_type"),
    *("basic.data_product_region", "basic.description", "basic.publication_date", "basic.data_product_sector"),
    *("dp_variant.variant_name", "dp_variant.data_domain", "dp_variant.unprotected_quantities"),
    *("privacy_loss.privacy_unit", "privacy_loss.privacy_unit_details", "privacy_loss.neighbouring_relation"),
    *("privacy_loss.privacy_parameters.epsilon", "privacy_loss.privacy_parameters.delta"),
    *("privacy_loss.privacy_parameters.rho", "privacy_loss.privacy_parameters_details", "privacy_loss.claim_source"),
    *("deployment_model.model_name", "deployment_model.model_name_details", "deployment_model.actors"),
    *("deployment_model.release_type", "deployment_model.release_type_details"),
    *("deployment_model.data_source_type", "deployment_model.data_source_type_details"),
    *("deployment_model.access_type", "deployment_model.access_type_details"),
    *("accounting.post_processing", "accounting.composition"),
    *("implementation.preprocessing_and_hyperparameter_tuning", "implementation.mechanisms"),
    *("implementation.justification", "administrative.sources", "administrative.notes"),
    "administrative.registry_authors",
)
"""Every fact that can be declared, in the order in which it is shown."""

SHORT_NAMES: Final = {
    "title": "basic.name",
    "unit": "privacy_loss.privacy_unit",
    "neighbours": "privacy_loss.neighbouring_relation",
    "source": "privacy_loss.claim_source",
    "setting": "deployment_model.model_name",
    "accounting": "accounting.composition",
    "tuning": "implementation.preprocessing_and_hyperparameter_tuning",
    "mechanisms": "implementation.mechanisms",
}
"""What may stand for some of them on the command line."""

DECLARED_FILE: Final = "declared.json"
"""The file beside a report with which the same is declared again."""

_LONGEST: Final = 10_000
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_RECORD: Final = {"deployment", "url_slug", "status", "tier"}
"""What a registry record has at its top."""

_READERS: Final = (".toml", ".json", ".yaml", ".yml")


def read_declared(items: Sequence[str]) -> dict[str, str]:
    """The declared facts by field: each item is ``NAME=TEXT``, or the name of a TOML, JSON or YAML file of them.

    Raises:
        InputError: for an unknown name, a fact declared twice, or a value that is neither text nor a list of it.
        MissingExtraError: for YAML where its reader is not installed.
    """
    found: dict[str, str] = {}
    for item in items:
        name, equals, value = item.partition("=")
        if equals and not name.endswith(_READERS):
            facts = [(SHORT_NAMES.get(name.strip(), name.strip()), value.strip())]
            where = "--declare"
        elif item.endswith(_READERS):
            facts, where = list(_flat(_document(Path(item)))), item
        else:
            raise InputError("NAME=TEXT, or a .toml, .json or .yaml file", shorten(item), "--declare")
        for field, text in facts:
            _require_known(field, text, where)
            if field in found:
                raise InputError("each fact once", f"{field} twice", where)
            found[field] = text
    return {field: found[field] for field in FIELDS if field in found}


def declare(report: Report, facts: Mapping[str, str]) -> Report:
    """The report with declared facts, by field; its id changes with them.

    Raises:
        InputError: for an unknown field, or a value that is no text.
    """
    if not facts:
        return report
    for field, text in facts.items():
        _require_known(field, text, "declared")
    rest = {name: value for name, value in report.document.items() if name != "id"}
    *checks, again = report.document["recheck"] or [""]
    commands = [*checks, f"{again} --declare {DECLARED_FILE}"] if again.startswith("oracle audit ") else rest["recheck"]
    document = {**rest, "declared": {field: facts[field] for field in FIELDS if field in facts}, "recheck": commands}
    inputs = {**report.inputs, DECLARED_FILE: f"{canonical(document['declared'])}\n".encode()}
    return Report({**document, "id": digest(document)}, inputs)


def _document(path: Path) -> Mapping[str, Any]:
    text = read_text(path)
    if path.suffix == ".toml":
        try:
            document: Any = tomllib.loads(text, parse_float=str)
        except tomllib.TOMLDecodeError as error:
            raise InputError("TOML", str(error), str(path)) from None
        except RecursionError:
            raise InputError("TOML", "values nested too deep", str(path)) from None
    else:
        document = parse(text, str(path)) if path.suffix == ".json" else parse_yaml(text, str(path))
    if not isinstance(document, Mapping):
        raise InputError("an object of facts", shorten(document), str(path))
    if "deployment" not in document:
        return document
    beside = sorted(set(document) - _RECORD)
    if beside or not isinstance(document["deployment"], Mapping):
        wanted = 'an object "deployment" of facts, and none beside it'
        raise InputError(wanted, shorten(beside[0] if beside else document["deployment"]), str(path))
    inner: Mapping[str, Any] = document["deployment"]
    return inner


def _flat(value: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """The leaves of nested objects by their dotted names; what is empty is left out."""
    for key, item in value.items():
        name = f"{above}.{key}" if above else SHORT_NAMES.get(str(key), str(key))
        if isinstance(item, Mapping) and name not in FIELDS:
            yield from _flat(item, name)
            continue
        texts = item if isinstance(item, list) else [item]
        if any(isinstance(text, (list, Mapping, bool)) or text is None for text in texts):
            raise InputError("text, or a list of it", shorten(item), name)
        text = "; ".join(str(text).strip() for text in texts)
        if text:
            yield name, text


def _require_known(field: str, text: object, where: str) -> None:
    if field not in FIELDS:
        raise InputError(f"a field such as {', '.join(SHORT_NAMES)} or {FIELDS[11]}", shorten(field), where)
    if not isinstance(text, str) or not 0 < len(text) <= _LONGEST or _SURROGATE.search(text):
        got = f"{len(text)} characters" if isinstance(text, str) and not _SURROGATE.search(text) else ascii(text)
        raise InputError(f"text of 1 to {_LONGEST} characters", got, f"{where}: {field}")
