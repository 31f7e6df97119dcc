"""Everything that can be found wrong with an index and the vault that it was made from.

A fault is something that makes an answer wrong or a click lead astray: it is to be mended. A
remark is a habit that may be meant: two notes of one title, a note that nothing links to.
"""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from kb.indexer.doctor_links import (
    find_alias_only,
    find_ambiguous,
    find_broken,
    find_orphans,
    find_unwritten,
)
from kb.indexer.doctor_names import find_same_ids, find_same_titles, find_tag_spellings
from kb.indexer.doctor_records import Check, CheckResult, Examination, Finding, NotExaminedError
from kb.indexer.doctor_state import find_damaged, find_drift, find_unembedded, find_unread
from kb.store.connection import snapshot

__all__ = ["CHECKS", "CheckResult", "Finding", "examine"]

CHECKS = (
    Check("index", "faults of the index", True, find_damaged),
    Check("drift", "notes that changed since they were indexed", True, find_drift),
    Check("unread", "notes that could not be read, or not in full", True, find_unread),
    Check("embeddings", "passages without an embedding", True, find_unembedded),
    Check("broken", "links that lead nowhere", True, find_broken),
    Check("ambiguous", "links that several notes fit", True, find_ambiguous),
    Check("ids", "ids that several notes have", True, find_same_ids),
    Check("unwritten", "links to notes that are not written yet", False, find_unwritten),
    Check("alias", "links that only an alias fits", False, find_alias_only),
    Check("titles", "titles that several notes have", False, find_same_titles),
    Check("tags", "tags that are spelled in several ways", False, find_tag_spellings),
    Check("orphans", "notes without a link in or out", False, find_orphans),
)
_DAMAGED = "the index is damaged, and this rests on it"


def examine(connection: apsw.Connection, names: Sequence[str] = ()) -> list[CheckResult]:
    """Make the checks of these names, all where none is given, on one state of the index.

    Where the index itself is found damaged, the others are not made: they would be told wrong.
    """
    chosen = [check for check in CHECKS if not names or check.name in names]
    examination = Examination(connection)
    results: list[CheckResult] = []
    with snapshot(connection):
        for check in chosen:
            if results and results[0].check.name == "index" and results[0].findings:
                results.append(CheckResult(check, (), _DAMAGED))
            else:
                results.append(_made(check, examination))
    return results


def _made(check: Check, examination: Examination) -> CheckResult:
    try:
        return CheckResult(check, tuple(check.find(examination)))
    except NotExaminedError as error:
        return CheckResult(check, (), str(error))
