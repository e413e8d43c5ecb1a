"""Strict YAML in: every scalar as the text that stands there, so that ``1.0e-10`` is a decimal and no double.

Duplicate keys, anchors and aliases, tags, several documents and keys that are no text are refused with their line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oracle.errors import InputError, MissingExtraError, shorten

if TYPE_CHECKING:
    from yaml.nodes import Node

__all__ = ["parse_yaml"]

_DEEPEST = 50


def parse_yaml(text: str, where: str) -> Any:  # noqa: ANN401 - text, lists and dicts of it
    """Read one YAML document: text, lists and mappings; what is empty is the empty text.

    Raises:
        InputError: naming the line.
        MissingExtraError: where the reader is not installed.
    """
    try:
        import yaml  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError("reading YAML", "report") from None
    try:
        depth = 0
        for event in yaml.parse(text, yaml.BaseLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                raise InputError(f"at most {_DEEPEST} levels", "more", _place(where, event.start_mark))
            plain = getattr(event, "anchor", None) is None and not isinstance(event, yaml.AliasEvent)
            if not plain:
                raise InputError("YAML without anchors and aliases", "one", _place(where, event.start_mark))
        node = yaml.compose(text, yaml.BaseLoader)
    except yaml.YAMLError as error:
        place = _place(where, getattr(error, "problem_mark", None))
        raise InputError("YAML", getattr(error, "problem", None) or "text that is none", place) from None
    return "" if node is None else _value(node, where)


def _place(where: str, mark: object) -> str:
    line = getattr(mark, "line", None)
    return where if line is None else f"{where}:{line + 1}"


def _value(node: Node, where: str) -> Any:  # noqa: ANN401
    from yaml.nodes import MappingNode, ScalarNode, SequenceNode  # noqa: PLC0415 - an extra

    place = _place(where, node.start_mark)
    if isinstance(node, SequenceNode):
        return [_value(item, where) for item in node.value]
    if isinstance(node, ScalarNode):
        return str(node.value)
    if not isinstance(node, MappingNode):
        raise InputError("text, a list or a mapping", type(node).__name__, place)
    found: dict[str, Any] = {}
    for key, item in node.value:
        name = _value(key, where)
        at = _place(where, key.start_mark)
        if not isinstance(name, str):
            raise InputError("a key that is text", "a list or a mapping", at)
        if name in found:
            raise InputError("each key once", f"{shorten(name)} twice", at)
        found[name] = _value(item, where)
    return found
