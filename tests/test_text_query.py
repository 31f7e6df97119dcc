"""Query text to terms: whatever is typed is understood somehow, and finds what it names."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.text import Query, Term, analyse, compounds, parse_query
from kb.text.query import MOST_TERMS


def matches(term: Term, text: str, language: str = "en") -> bool:
    """What the index does: one alternative's tokens in a row, in the column it is meant for."""
    words, whole = analyse(text, language), compounds(text, language)
    for alternative in term.alternatives:
        column, wanted = whole if alternative.whole else words, list(alternative.tokens)
        places = range(len(column) - len(wanted) + 1)
        if any(column[place : place + len(wanted)] == wanted for place in places):
            return True
    return False


def found(query: str, text: str, language: str = "en") -> list[str]:
    """The surfaces of the query's terms that match the text."""
    return [t.surface for t in parse_query(query, [language]).terms if matches(t, text, language)]


def surfaces(query: Query) -> list[str]:
    return [term.surface for term in query.terms]


FINDS = [
    ("File-back Ingest Lint", "The file-back step runs before ingest and lint."),
    ("agentic-os dashboard", "An agentic-os for the dashboard"),
    ("ADR-016 workspace", "See ADR-016 about the workspace"),
    ("real-time", "a real-time system"),
    ("real-time", "a real time system"),
    ("real-time", "a realtime system"),
    ("realtime", "a real-time system"),
    ("2026.4.10", "released as 2026.4.10"),
    ('"1.0.21"', "version 1.0.21 is out"),
    ("1.0.21", "version v1.0.21 is out"),
    ("v1.0.21", "version 1.0.21 is out"),
    ("1.0", "version v1.0.21 is out"),
    ("foo_bar", "call foo_bar here"),
    ("foo_bar", "call foo-bar here"),
    ("memory: bootstrap", "memory bootstrap"),
    ("grammar::fa", "in grammar::fa we"),
    ("--error-on-warnings", "pass --error-on-warnings"),
    ("-38.101 NR", "TS 38.101 for NR"),
    ("Museum (MoMA) and the 'X' exhibit?", "the MoMA exhibit"),
    ("§§", "see §§ 4"),
    ("§", "see §§ 4"),
    ("🐘", "an 🐘 in the room"),
    ("об'єкт", "новий обʼєкт"),
    ("don't", "we don’t know"),
    ("getUserName", "call getUserName()"),
    ("getUserName", "the get_user_name field"),
    ("getusername", "call getUserName()"),
    ("user name", "call getUserName()"),
    ("github", "on GitHub"),
    ("GitHub", "on github"),
    ("INC2041", "INC-2041 broke"),
    ("INC-2041", "INC2041 broke"),
    ("inc 2041", "INC-2041 broke"),
    ("2026-06-04", "on 4.6.2026 we"),
    ("2026/6/4", "on 2026-06-04 we"),
    ("20260604", "on 2026-06-04 we"),
    ("C++", "written in C++, mostly"),
    (".net", "for .NET only"),
    ("user@host.org", "write to User@Host.org"),
    ("os.path", "use os.path here"),
    ("TCP/IP", "over TCP/IP"),
    ("USA", "in the U.S.A. since"),
    ("utf8", "encoded as UTF-8"),
    ("UTF-8", "encoded as utf8"),
    ("->", "a -> b"),
    ("cafe", "at the Café"),
    ("café", "at the cafe"),
]


@pytest.mark.parametrize(("query", "text"), FINDS)
def test_finds(query: str, text: str) -> None:
    assert found(query, text)


MISSES = [
    ("C++", "vitamin C"),
    (".net", "a net"),
    ('"new york"', "york is new"),
    ("中文合約", "完全不同"),
    ("cats", "dogs"),
]


@pytest.mark.parametrize(("query", "text"), MISSES)
def test_misses(query: str, text: str) -> None:
    assert not found(query, text)


SCRIPTS = [
    ("中文合約", "中文合約轉換", "zh"),
    ("合", "中文合約轉換", "zh"),
    ("視頻下載", "視頻下載工具", "zh"),
    ("東京", "東京へ行く", "ja"),
    ("サーバー", "新しいサーバーを買う", "ja"),
    ("ｻｰﾊﾞｰ", "新しいサーバーを買う", "ja"),
    ("학교", "학교에서 만나", "ko"),
    ("ปลา", "ปลาวาฬตัวใหญ่", "th"),
    ("серверы настройка", "настройки сервера", "ru"),
    ("елка", "Ёлки", "ru"),
    ("βαση", "οι βάσεις", "el"),
    ("كتاب", "الكِتَابُ", "ar"),
    ("שלום", "שָׁלוֹם", "he"),
    ("हिन्दी", "हिन्दी भाषा", "hi"),
    ("தமிழ்", "தமிழ் மொழி", "ta"),
    ("Häuser", "das Haus", "de"),
    ("İstanbul", "istanbul'da", "tr"),
    ("l'algorithme", "un algorithme", "fr"),
]


@pytest.mark.parametrize(("query", "text", "language"), SCRIPTS)
def test_every_script_is_found(query: str, text: str, language: str) -> None:
    assert found(query, text, language)


def test_one_missing_word_does_not_void_the_query() -> None:
    assert found("BBDown 视频下载", "视频下载的工具", "zh") == ["视频", "频下", "下载"]


def test_a_question_is_its_words_of_meaning() -> None:
    assert surfaces(parse_query("why is Codey not replying", ["en"])) == ["Codey", "replying"]
    assert surfaces(parse_query("ship to prod safely", ["en"])) == ["ship", "prod", "safely"]
    assert surfaces(parse_query("what's the team's plan?", ["en"])) == ["team", "plan"]


def test_stop_words_stay_when_nothing_else_is_left() -> None:
    query = parse_query("to be or not to be", ["en"])
    assert surfaces(query) == ["to", "be", "or", "not"]
    assert all(term.stop for term in query.terms)


def test_stop_words_of_the_querys_language() -> None:
    assert surfaces(parse_query("wie viele Punkte gab es in der Liga", ["en"])) == [
        "Punkte",
        "Liga",
    ]
    assert surfaces(parse_query("что такое сервер", ["ru"])) == ["сервер"]


def test_a_word_with_a_meaning_in_another_language_is_kept() -> None:
    assert surfaces(parse_query("die hard", ["de", "en"])) == ["die", "hard"]
    assert surfaces(parse_query("WHO guidelines for the US", ["en"])) == ["WHO", "guidelines", "US"]


def test_a_word_is_looked_for_as_each_language_would_have_it() -> None:
    (term,) = parse_query("Häuser", ["de", "en"]).terms
    tokens = [alternative.tokens for alternative in term.alternatives if not alternative.whole]
    assert tokens == [tuple(analyse("Häuser", "de")), tuple(analyse("Häuser", "en"))]
    (same,) = parse_query("cat", ["en", "en", ""]).terms
    assert sum(not alternative.whole for alternative in same.alternatives) == 1


def test_a_quoted_phrase_stays_a_phrase() -> None:
    query = parse_query('"new york" pizza', ["en"])
    assert surfaces(query) == ["new york", "pizza"]
    assert surfaces(Query("", "", query.phrases)) == ["new york"]
    assert query.phrases[0].alternatives[0].tokens == ("new", "york")
    assert parse_query("“to be” “or”", ["en"]).phrases[0].alternatives[0].tokens == ("to", "be")


def test_exclusions() -> None:
    query = parse_query('postgres -mysql -"slow query"', ["en"])
    assert surfaces(query) == ["postgres"]
    assert [term.surface for term in query.excluded] == ["mysql", "slow query"]
    assert query.notices == ()
    assert [t.surface for t in parse_query("-draft plan", ["en"]).excluded] == ["draft"]


@pytest.mark.parametrize(
    "text", ["ADR-016 plan", "a --flag b", "x -3 y", "x - y", "well-known thing", "x -38.101"]
)
def test_what_is_no_exclusion(text: str) -> None:
    assert parse_query(text, ["en"]).excluded == ()


def test_an_exclusion_alone_is_text() -> None:
    query = parse_query("-draft", ["en"])
    assert surfaces(query) == ["draft"]
    assert query.excluded == ()
    assert len(query.notices) == 1


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('foo "bar', ["foo", "bar"]),
        ("foo (bar", ["foo", "bar"]),
        ("foo bar)", ["foo", "bar"]),
        ("foo AND bar", ["foo", "bar"]),
        ("AND", ["AND"]),
        ("NOT", ["NOT"]),
        ('"', []),
        ("***", []),
        ("()", []),
    ],
)
def test_what_makes_no_sense_is_read_as_words_with_a_notice(text: str, left: list[str]) -> None:
    query = parse_query(text, ["en"])
    assert surfaces(query) == left
    assert query.notices
    assert not any(notice.endswith(".") for notice in query.notices)


@pytest.mark.parametrize("text", ["", "   ", "a (b) c", 'x "y" z', "it's 5 o'clock"])
def test_what_makes_sense_gives_no_notice(text: str) -> None:
    assert parse_query(text, ["en"]).notices == ()


def test_hebrew_abbreviations_are_no_quotes() -> None:
    query = parse_query('ארה"ב', ["he"])
    assert query.notices == ()
    assert found('ארה"ב', "ארה״ב", "he")


def test_a_pasted_page_is_cut() -> None:
    query = parse_query(" ".join(f"word{number}" for number in range(500)), ["en"])
    assert len(query.terms) == MOST_TERMS
    assert query.notices


def test_no_term_twice() -> None:
    assert surfaces(parse_query("cat Cat cats", ["en"])) == ["cat"]


def test_parts_of_a_compound_rank_too() -> None:
    assert surfaces(parse_query("INC-2041", ["en"])) == ["INC-2041", "INC", "2041"]
    assert surfaces(parse_query("foo_bar", ["en"])) == ["foo_bar", "foo", "bar"]
    assert surfaces(parse_query("state-of-the-art", ["en"])) == ["state-of-the-art", "state", "art"]
    assert surfaces(parse_query("2026.4.10", ["en"])) == ["2026.4.10", "2026.4.10"]
    assert surfaces(parse_query("GitHub", ["en"])) == ["GitHub"]


def test_runs_without_spaces_are_pairs() -> None:
    assert surfaces(parse_query("機械学習", ["ja"])) == ["機械", "械学", "学習"]
    assert surfaces(parse_query("学習", ["ja"])) == ["学習"]
    assert surfaces(parse_query("本", ["ja"])) == ["本"]
    assert {term.kind for term in parse_query("機械学習", ["ja"]).terms} == {"cjk"}


def test_a_word_after_kana_also_counts_by_its_first_character() -> None:
    assert surfaces(parse_query("新しい梅雨", ["ja"])) == [
        "新し",
        "しい",
        "い梅",
        "梅雨",
        "新",
        "梅",
    ]


def test_particles_alone_do_not_match() -> None:
    assert "のは" not in surfaces(parse_query("学習するのは何か", ["ja"]))
    assert surfaces(parse_query("什么", ["zh"])) == ["什么"]  # nothing else is left


def test_a_few_han_characters_are_of_the_language_of_the_notes() -> None:
    assert parse_query("東京", ["ja", "en"]).language == "ja"
    assert parse_query("東京", ["zh", "ja"]).language == "zh"


def test_no_languages_is_english() -> None:
    assert parse_query("running").terms == parse_query("running", ["en"]).terms


PIECES = st.sampled_from(
    [
        '"',
        "-",
        "--",
        "(",
        ")",
        " ",
        "'",
        "’",
        "AND",
        "cat",
        "Häuser",
        "中文合約",
        "ไทย",
        "v1.0.21",
        "foo_bar",
        "C++",
        ".NET",
        "2026-06-04",
        "🐘",
        "§",
        "\x00",
        "\u200d",
        "об'єкт",
        'צה"ל',
        "*",
    ]
)
TEXTS = st.text(max_size=80) | st.lists(PIECES, max_size=12).map("".join)
LANGUAGES = st.lists(st.sampled_from(["", "en", "de", "tr", "ru", "ja", "zz"]), max_size=4)


@given(TEXTS, LANGUAGES)
def test_no_text_raises_and_terms_are_whole(text: str, languages: list[str]) -> None:
    query = parse_query(text, languages)
    assert len(query.terms) <= MOST_TERMS
    for term in (*query.terms, *query.excluded):
        assert 0 <= term.start < term.end <= len(query.text)
        assert term.alternatives
        for alternative in term.alternatives:
            assert alternative.tokens
            assert all(token and not set(token) & set("\"' ") for token in alternative.tokens)


WORDS = st.text(st.characters(categories=["L", "Mn", "Mc", "Nd", "So"]), min_size=1, max_size=12)


@settings(max_examples=300)
@given(WORDS, st.sampled_from(["", "en", "de", "fr", "tr", "ru", "ar", "hi", "ja", "th"]))
def test_a_word_of_a_note_is_found_by_itself(word: str, language: str) -> None:
    text = f"one {word} two"
    query = parse_query(word, [language])
    if analyse(word, language):
        assert all(matches(term, text, language) for term in query.terms)
        assert query.terms
