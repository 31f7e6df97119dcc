"""The `meta` table: what an index says of itself, as text by key."""

from __future__ import annotations

from typing import Final

import apsw


class Meta:
    """The keys of the `meta` table. Plain text: to make an enumeration takes a millisecond."""

    SCHEMA: Final = "schema_version"
    PARSER: Final = "parser_version"
    ANALYSER: Final = "analyser_version"
    VAULT: Final = "vault"  # absolute path, stored form (see paths.py)
    INDEXED_AT: Final = "indexed_at"  # ISO 8601, UTC: when the last run finished
    EMBED: Final = "embed"  # "1": later runs embed what is new
    MODEL: Final = "model"  # name, and the four below, of the model that made the vectors
    MODEL_FINGERPRINT: Final = "model_fingerprint"
    MODEL_DIMENSION: Final = "model_dimension"
    MODEL_LANGUAGES: Final = "model_languages"  # comma separated ISO 639-1, or *
    MODEL_SETTING: Final = "model_setting"  # what the user asked for, "" for the default
    NO_IGNORE: Final = "no_ignore"  # "1": ignore files are not honoured
    EXCLUDE: Final = "exclude"  # JSON list: the globs of the settings that leave notes out
    PARSE_SETTINGS: Final = "parse_settings"  # JSON object: what else decides how a note is parsed
    MOUNTS: Final = "mounts"  # JSON list: folders that were drives of their own, not to be missed
    RUN_STARTED: Final = "run_started_ns"  # when the last run began: a later file may change unseen
    LANGUAGES: Final = "languages"  # JSON object: language to number of notes, most common first
    AVERAGES: Final = "averages"  # JSON object: statistics of the passages
    LOOSE_VECTORS: Final = "loose_vectors"  # "1": some may belong to what could not be read
    EDGES_MARK: Final = "edges_hash"  # another one whenever notes or the links between them change
    PAGERANK_MARK: Final = "pagerank_hash"  # the EDGES_MARK that the pagerank table was made from


def read_meta(connection: apsw.Connection) -> dict[str, str]:
    """Every key of the table. An absent key reads as "" through `.get(key, "")`."""
    rows = connection.execute("SELECT key, value FROM meta")
    return {str(key): str(value) for key, value in rows}


def write_meta(connection: apsw.Connection, key: str, value: str) -> None:
    """Set one key."""
    connection.execute(
        "INSERT INTO meta(key, value) VALUES (?, ?)"
        " ON CONFLICT(key) DO UPDATE SET value = excluded.value",
        (key, value),
    )
