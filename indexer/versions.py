"""What filled an index: if any of it differs now, every note is parsed anew."""

from __future__ import annotations

import json
from collections.abc import Mapping

import apsw

from kb.indexer.parser_version import PARSER_VERSION
from kb.store.meta import Meta, write_meta
from kb.text import ANALYSER_VERSION

OLDER = "the index was made by an older kb, so every note is read anew"


def parse_settings(*, dendron: bool, default_language: str) -> str:
    """What decides how a note is parsed besides its bytes, as the index stores it."""
    return json.dumps({"default_language": default_language, "dendron": dendron})


def stale_because(meta: Mapping[str, str], settings: str) -> str:
    """Why every note has to be parsed anew: a sentence, "" if the index was filled as now."""
    if not meta.get(Meta.PARSER):
        return ""  # nothing was indexed yet
    if meta[Meta.PARSER] != str(PARSER_VERSION):
        return "this version of kb reads notes differently, so every note is read anew"
    if meta.get(Meta.ANALYSER) != str(ANALYSER_VERSION):
        return "this version of kb splits text into words differently, so every note is read anew"
    if meta.get(Meta.PARSE_SETTINGS) != settings:
        return "the settings for reading notes have changed, so every note is read anew"
    return ""


def write_versions(connection: apsw.Connection, settings: str) -> None:
    """Say what filled the index."""
    write_meta(connection, Meta.PARSER, str(PARSER_VERSION))
    write_meta(connection, Meta.ANALYSER, str(ANALYSER_VERSION))
    write_meta(connection, Meta.PARSE_SETTINGS, settings)
