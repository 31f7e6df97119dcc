"""The tables of an index, and the version they carry.

FTS5 holds the tokens of our own analyser, separated by spaces: its tokenizer only splits at
white space, so a new language changes the analyser, never the schema. The FTS5 table is
contentless (the text stands once, in `passages`) and its rowid is the passage's id.
"""

from __future__ import annotations

# Raised when the tables change; renew.py makes older ones anew.
SCHEMA_VERSION = 2

# All printable ASCII that is not a letter or digit is part of a token, so only white space splits.
_TOKEN_CHARS = "".join(
    chr(code) for code in range(33, 127) if not chr(code).isalnum() and chr(code) not in "\"'"
)

# Columns of passages_fts, in order, with the BM25 weights that did best on the tuning halves.
FTS_COLUMNS: dict[str, float] = {
    "title": 3.0,
    "aliases": 3.0,
    "headings": 0.5,
    "tags": 1.5,
    "body": 1.0,
    "whole": 0.3,  # identifiers, dates, addresses in one piece
}

TABLES = (
    *("meta", "notes", "attachments", "passages", "passages_fts", "tags", "properties", "aliases"),
    *("entities", "entity_words", "note_entities", "links", "edges", "pagerank", "vectors"),
)

SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,           -- vault-relative, '/' on every system
  name_key TEXT NOT NULL,              -- file name without extension, NFC and case-folded
  title TEXT NOT NULL,
  type TEXT NOT NULL,                  -- '' where the note has none; case-folded
  date TEXT NOT NULL,                  -- own date, else day of last modification (ISO)
  language TEXT NOT NULL,              -- ISO 639-1, '' unknown
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  hash BLOB NOT NULL,                  -- BLAKE2b-128 of the file's bytes
  ignored INTEGER NOT NULL,            -- 1: hidden from results by the vault's userIgnoreFilters
  problems TEXT NOT NULL               -- JSON list of sentences
) STRICT;
CREATE INDEX notes_name ON notes(name_key);
CREATE INDEX notes_date ON notes(date);
CREATE INDEX notes_ignored ON notes(id) WHERE ignored = 1;

CREATE TABLE attachments (path TEXT PRIMARY KEY, name_key TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX attachments_name ON attachments(name_key);

CREATE TABLE passages (
  id INTEGER PRIMARY KEY,
  note_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,            -- 0-based within the note
  heading TEXT NOT NULL,               -- JSON list, the trail
  line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  text TEXT NOT NULL,
  embed_key BLOB NOT NULL              -- BLAKE2b-128 of the text that is embedded
) STRICT;
CREATE INDEX passages_note ON passages(note_id, ordinal);
CREATE INDEX passages_embed ON passages(embed_key);

CREATE VIRTUAL TABLE passages_fts USING fts5(
  {", ".join(FTS_COLUMNS)},
  content='', contentless_delete=1, tokenize="ascii tokenchars '{_TOKEN_CHARS}'"
);
INSERT INTO passages_fts(passages_fts, rank) VALUES ('hashsize', 8388608);

CREATE TABLE tags (                    -- one row a tag of a note and one for each parent of it
  note_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
  key TEXT NOT NULL,                   -- case-folded NFC, no '#'
  label TEXT NOT NULL,                 -- as written; '' on a row that stands for a parent
  PRIMARY KEY (note_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_key ON tags(key, note_id);

CREATE TABLE properties (
  note_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  name TEXT NOT NULL,                  -- as written
  name_key TEXT NOT NULL,              -- case-folded NFC
  value TEXT NOT NULL,                 -- as written
  value_key TEXT NOT NULL,             -- case-folded NFC, trimmed
  number REAL,                         -- the value as a number, where it is one
  kind TEXT NOT NULL,
  inline INTEGER NOT NULL,
  PRIMARY KEY (note_id, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX properties_value ON properties(name_key, value_key, note_id);

CREATE TABLE aliases (
  note_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
  key TEXT NOT NULL,                   -- case-folded NFC
  label TEXT NOT NULL,
  PRIMARY KEY (note_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX aliases_key ON aliases(key, note_id);

CREATE TABLE entities (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  label TEXT NOT NULL,                 -- as the first note that carries it, by path, writes it
  notes INTEGER NOT NULL,              -- how many notes carry it
  UNIQUE (key, kind)
) STRICT;

CREATE TABLE entity_words (            -- the words of values, which no full-text column holds
  word TEXT NOT NULL,
  entity_id INTEGER NOT NULL REFERENCES entities(id),
  PRIMARY KEY (word, entity_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX entity_words_entity ON entity_words(entity_id);

CREATE TABLE note_entities (
  entity_id INTEGER NOT NULL REFERENCES entities(id),
  note_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
  label TEXT NOT NULL,                 -- as this note writes it
  PRIMARY KEY (entity_id, note_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX note_entities_note ON note_entities(note_id, entity_id);

CREATE TABLE links (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  target TEXT NOT NULL,                -- as written, without fragment and display text
  target_key TEXT NOT NULL,            -- last component, no extension, NFC and case-folded
  fragment TEXT NOT NULL,
  display TEXT NOT NULL,
  kind TEXT NOT NULL,
  line INTEGER NOT NULL,
  section TEXT NOT NULL,               -- JSON list
  target_id INTEGER,                   -- the note it leads to
  status TEXT NOT NULL,
  candidates TEXT NOT NULL             -- JSON list of paths, for an ambiguous link
) STRICT;
CREATE INDEX links_source ON links(source_id, ordinal);
CREATE INDEX links_target ON links(target_id) WHERE target_id IS NOT NULL;
CREATE INDEX links_key ON links(target_key);
CREATE INDEX links_status ON links(status) WHERE status NOT IN ('resolved', 'attachment');

CREATE TABLE edges (                   -- the graph: one row a linked pair of notes, no loops
  source_id INTEGER NOT NULL,
  target_id INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (source_id, target_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX edges_target ON edges(target_id, source_id);

CREATE TABLE pagerank (note_id INTEGER PRIMARY KEY, score REAL NOT NULL) STRICT;

CREATE TABLE vectors (
  id INTEGER PRIMARY KEY,
  embed_key BLOB NOT NULL UNIQUE,
  vector BLOB NOT NULL                 -- int8, each scaled by its own largest component
) STRICT;
"""
