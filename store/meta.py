"""The `meta` table: what an index says of itself, as text by key."""

from __future__ import annotations

from enum import StrEnum

import apsw


class Meta(StrEnum):
    """The keys of the `meta` table."""

    SCHEMA = "schema_version"
    PARSER = "parser_version"
    ANALYSER = "analyser_version"
    VAULT = "vault"  # absolute path, stored form (see paths.py)
    INDEXED_AT = "indexed_at"  # ISO 8601, UTC: when the last run finished
    EMBED = "embed"  # "1": later runs embed what is new
    MODEL = "model"  # name, and the four below, of the model that made the vectors
    MODEL_FINGERPRINT = "model_fingerprint"
    MODEL_DIMENSION = "model_dimension"
    MODEL_LANGUAGES = "model_languages"  # comma separated ISO 639-1, or *
    MODEL_SETTING = "model_setting"  # what the user asked for, "" for the default
    NO_IGNORE = "no_ignore"  # "1": ignore files are not honoured
    EXCLUDE = "exclude"  # JSON list: the globs of the settings that leave notes out
    PARSE_SETTINGS = "parse_settings"  # JSON object: what else decides how a note is parsed
    RUN_STARTED = "run_started_ns"  # when the last run began: a later file may change unseen
    LANGUAGES = "languages"  # JSON object: language to number of notes, most common first
    AVERAGES = "averages"  # JSON object: statistics of the passages
    EDGES_HASH = "edges_hash"
    PAGERANK_HASH = "pagerank_hash"  # the EDGES_HASH that the pagerank table was made from


def read_meta(connection: apsw.Connection) -> dict[str, str]:
    """Every key of the table. An absent key reads as "" through `.get(key, "")`."""
    rows = connection.execute("SELECT key, value FROM meta")
    return {str(key): str(value) for key, value in rows}


def write_meta(connection: apsw.Connection, key: Meta, value: str) -> None:
    """Set one key."""
    connection.execute(
        "INSERT INTO meta(key, value) VALUES (?, ?)"
        " ON CONFLICT(key) DO UPDATE SET value = excluded.value",
        (str(key), value),
    )
