"""What a text is cut into: every script, apostrophes, names in code, symbols."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.text import analyse, fold
from kb.text.stemming import keeps_first_letter
from kb.text.tokens import LONGEST_TOKEN, clusters, find_tokens, scan

CASES = [
    # words and numbers
    ("Plain words, with commas.", "en", "plain word with comma"),
    ("running runs", "en", "run run"),
    ("INC-2041", "en", "inc 2041"),
    ("v1.0.21 and 1.0.21", "en", "v 1 0 21 and 1 0 21"),
    ("foo_bar", "en", "foo bar"),
    ("utf8 UTF-8", "en", "utf8 utf 8"),
    ("sha256sums", "en", "sha256sums"),  # with a digit it is a name: no ending comes off
    # names in code
    ("getUserName", "en", "get user name"),
    ("XMLHttpRequest", "en", "xml http request"),
    ("base64Encode", "en", "base64 encod"),
    ("iPhone pH mRNA LaTeX", "en", "iphon ph mrna latex"),
    ("APIs RNAi PDFs", "en", "api rnai pdfs"),
    # apostrophes
    ("don't don’t", "en", "dont dont"),
    ("Smith's we'll I'm", "en", "smith we i"),
    ("l'été qu’il", "fr", "l ete qu il"),
    ("dell'acqua", "it", "dell acqua"),
    ("об'єкт обʼєкт", "uk", "обєкт обєкт"),
    ("İstanbul'da istanbul", "tr", "istanbul istanbul"),
    ("O'Brien", "en", "obrien"),
    ("'quoted' rock 'n' roll", "en", "quot rock n roll"),
    # diacritics and case, after the stem
    ("Häuser Straße", "de", "haus strass"),
    ("naïve Ångström", "", "naiv angstrom"),
    ("canciones", "es", "cancion"),
    # other scripts
    ("Ёлка ёлки", "ru", "елк елк"),
    ("слова́", "ru", "слов"),
    ("μικρές μικρη", "el", "μικρ μικρ"),
    ("كِتَابٌ", "ar", "كتاب"),
    ("شَلוֹם".replace("شَل", "של"), "he", "שלום"),
    ('צה״ל צה"ל', "he", "צהל צהל"),
    ("१२३ ٤٥ ５", "hi", "123 45 5"),
    # scripts without spaces: every grapheme, and every two neighbours
    ("中文合", "zh", "中 中文 文 文合 合"),
    ("東京へ Tokyo行", "ja", "東 東京 京 京へ へ tokyo 行"),
    ("서울에", "ko", "서 서울 울 울에 에"),
    ("กินข้าว", "th", "กิ กิน น นข้ ข้ ข้า า าว ว"),
    ("ｶﾞｽ ガス", "ja", "ガ ガス ス ガ ガス ス"),
    ("5月", "ja", "5 月"),
    # compatibility forms
    ("ﬁne Ⅳ ①", "", "fine iv 1"),
    ("½", "", "1 2"),
    ("㍿", "ja", "株 株式 式 式会 会 会社 社"),
    # symbols that stand alone
    ("🐘 §§ →", "en", "🐘 § § →"),
    ("👍🏽 ❤️", "en", "👍 ❤"),
    ("👩‍💻", "en", "👩 💻"),
    ("Foo® bar", "en", "foo bar"),
    ("─────── ・・・", "en", ""),
    ("★★★★★★★", "en", "★ ★ ★"),
    ("*** --- | > ## `", "en", ""),
]


@pytest.mark.parametrize(("text", "language", "tokens"), CASES)
def test_tokens(text: str, language: str, tokens: str) -> None:
    assert analyse(text, language) == tokens.split()


@pytest.mark.parametrize(("text", "language", "tokens"), CASES)
def test_spans_tell_the_same_tokens(text: str, language: str, tokens: str) -> None:
    found = list(scan(text, language))
    assert [token.text for token in found] == tokens.split()
    assert all(0 <= token.start < token.end <= len(text) for token in found)


@pytest.mark.parametrize(
    "text",
    ["phénomène", "Ёж й", "각 한국어", "ガギグ", "Việt Nam", "é à ü", "שׁלום", "क़लम"],
)
@pytest.mark.parametrize("language", ["", "fr", "ru", "ja", "vi"])
def test_composed_and_decomposed_give_the_same(text: str, language: str) -> None:
    decomposed = unicodedata.normalize("NFD", text)
    assert analyse(decomposed, language) == analyse(unicodedata.normalize("NFC", text), language)


@pytest.mark.parametrize(
    ("word", "language"),
    [("हिन्दी", "hi"), ("தமிழ்", "ta"), ("ไทย", "th"), ("বাংলা", "bn"), ("മലയാളം", "ml")],
)
def test_marks_never_split_a_word(word: str, language: str) -> None:
    tokens = analyse(word, language)
    assert not any(unicodedata.category(token[0])[0] == "M" for token in tokens)
    if language != "th":
        assert len(tokens) == 1


def test_accents_do_not_matter_for_the_stem() -> None:
    assert analyse("développement", "fr") == analyse("developpement", "fr")


def test_a_dot_inside_a_catalan_word_is_part_of_it() -> None:
    assert analyse("col·lecció coŀlecció", "ca") == analyse("collecció collecció", "ca")


def test_words_of_another_script_are_stemmed_in_their_own_way() -> None:
    assert analyse("running серверы", "ru") == ["run", "сервер"]
    assert analyse("серверы", "en") == ["сервер"]


def test_a_long_line_of_data_gives_short_tokens_that_are_found_again() -> None:
    line = "aGVsbG8" * 500
    assert analyse(line, "en") == [line.lower()[:LONGEST_TOKEN]]
    assert analyse(line[:100], "en") == analyse(line, "en")


def test_a_soft_hyphen_or_joiner_is_not_part_of_a_word() -> None:
    assert analyse("exam\u00adple می\u200cخواهم", "en")[0] == analyse("example", "en")[0]
    assert analyse("می\u200cخواهم", "fa") == analyse("میخواهم", "fa")


LANGUAGES = st.sampled_from(["", "en", "de", "fr", "tr", "ru", "sr", "ar", "fa", "he", "hi", "ja"])
DENSE = st.text(
    st.sampled_from("中文合約轉換日本語テストひらがな한국어ภาษาไทยน้ำລາວ"), min_size=1, max_size=20
)


@given(st.text(), LANGUAGES)
def test_no_text_raises_and_tokens_are_clean(text: str, language: str) -> None:
    for token in analyse(text, language):
        assert 0 < len(token) <= LONGEST_TOKEN
        assert not set(token) & set("\"'")
        assert not any(char.isspace() or unicodedata.category(char) == "Cc" for char in token)
        token.encode("utf-8")


@given(st.text(), LANGUAGES)
def test_nfc_and_nfd_agree(text: str, language: str) -> None:
    nfd, nfc = (unicodedata.normalize(form, text) for form in ("NFD", "NFC"))
    assert analyse(nfd, language) == analyse(nfc, language)


@given(DENSE, st.integers(0, 19), st.integers(1, 20))
def test_a_part_of_a_run_is_a_contiguous_sequence(run: str, start: int, length: int) -> None:
    whole = clusters(run)
    part = whole[start : start + length]
    if not part:
        return
    wanted = analyse(run[part[0].start : part[-1].end], "")
    tokens = analyse(run, "")
    assert any(
        tokens[place : place + len(wanted)] == wanted
        for place in range(len(tokens) - len(wanted) + 1)
    )


@given(st.text())
def test_fold_is_idempotent_and_blind_to_form(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold(unicodedata.normalize("NFD", text)) == fold(text)


def test_fold_keeps_what_tells_names_apart() -> None:
    assert fold("PHÉNOMÈNE") == "phénomène"
    assert fold("Straße") == fold("STRASSE")
    assert fold("a-b") != fold("a b")


@given(st.from_regex(r"[A-Za-z][a-z]{0,20}", fullmatch=True), st.sampled_from(["en", "", "ru"]))
def test_a_stem_that_is_said_to_begin_as_its_word_does(word: str, language: str) -> None:
    assert keeps_first_letter(language)
    assert [token[0] for token in analyse(word, language)] == [word[0].lower()]


@given(
    st.one_of(
        st.text(),
        st.lists(
            st.sampled_from(
                ["dying", "Skies", "getUserName", "don't", "v2", "USA", "naïve", "-", "l'eau", "x"]
            )
        ).map(" ".join),
    ),
    st.sampled_from(["en", "", "de", "tr"]),
    st.sampled_from(["", "d", "us", "né", "ß9"]),
)
def test_words_that_are_left_out_begin_otherwise(text: str, language: str, firsts: str) -> None:
    every, some = list(scan(text, language)), list(scan(text, language, firsts))
    assert set(some) <= set(every)
    assert [one for one in some if one.text[0] in firsts] == [
        one for one in every if one.text[0] in firsts
    ]


WORDY = st.lists(
    st.one_of(
        st.sampled_from(["running", "Runs", "run's", "getRunTime", "v2", "API", "the-runner", "x"]),
        st.text(alphabet="abRUN'-1 \n", max_size=8),
    )
).map(" ".join)


@given(
    text=WORDY,
    wanted=st.sets(st.sampled_from(["run", "time", "v", "2", "api", "get", "x"])),
    language=st.sampled_from(["en", "de", "fr", ""]),
)
def test_wanted_tokens_are_found_where_a_scan_finds_them(
    text: str, wanted: set[str], language: str
) -> None:
    scanned = [token for token in scan(text, language) if token.text in wanted]
    assert list(find_tokens(text, language, wanted)) == scanned
