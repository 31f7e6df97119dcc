"""Each form of output from a result made by hand."""

from __future__ import annotations

import io
from typing import Any

import pytest

from kb.cli.environment import Environment
from kb.cli.render_explain import explain_table, highest_score
from kb.cli.render_json import hit_document, path_keys, query_document, why_document
from kb.cli.render_plain import render_hit, render_table
from kb.cli.render_template import render_template
from kb.cli.render_terminal import marked_snippet, print_hits, print_table, score_bar
from kb.cli.render_why import render_why
from kb.store.errors import UsageError
from kb.store.records import (
    Contribution,
    Hit,
    SearchResult,
    ShownPassage,
    StreamReport,
    StreamStatus,
    StreamWhy,
    WhyReport,
)

PASSAGE = ShownPassage(
    heading=("We moved to Postgres", "Why"),
    line=14,
    end_line=31,
    text="MySQL had no\ntransactional DDL.",
    snippet="MySQL had no transactional DDL.",
    marks=((0, 5),),
)
HIT = Hit(
    rank=1,
    fused_rank=1,
    note_id=7,
    path="decisions/postgres.md",
    title="We moved to Postgres",
    score=1 / 62 + 0.2 / 61,
    rrf=1 / 62 + 0.2 / 61,
    authority=1.0,
    streams={
        "lexical": Contribution(2, 7.31, 1 / 62),
        "entity": Contribution(1, 5.2, 0.2 / 61, matched=("tag:database",)),
    },
    passage=PASSAGE,
    tags=("database", "decision"),
)
RESULT = SearchResult(
    query="why did we leave mysql",
    vault="/home/user/notes",
    mode="hybrid",
    k=60,
    streams={
        "lexical": StreamReport(StreamStatus.OK, 1.0, 1.0, 41, 2.1),
        "entity": StreamReport(StreamStatus.OK, 0.1, 0.2, 3, 0.4, "half of the words match"),
        "cosine": StreamReport(StreamStatus.OFF, 0.0, 1.0, 0, 0.0, "the index holds no embeddings"),
        "graph": StreamReport(StreamStatus.SKIPPED, 0.3, 0.3, 0, 0.0, "no note to start from"),
    },
    hits=(HIT,),
)
EVIL = "\x1b]0;owned\x07[bold]x[/bold]\u202e"


def evil_result() -> SearchResult:
    passage = PASSAGE._replace(
        heading=(EVIL,), snippet=EVIL + " word", marks=((len(EVIL) + 1, len(EVIL) + 5),)
    )
    hit = HIT._replace(path=f"a{EVIL}.md", title=EVIL, passage=passage, tags=(EVIL,))
    return RESULT._replace(hits=(hit,))


def terminal(color: str = "never", width: int = 80) -> Environment:
    return Environment(io.StringIO(), io.StringIO(), io.StringIO(), {}, width, color)


def printed(result: SearchResult, **options: Any) -> str:
    environment = terminal(**options)
    print_hits(environment, result)
    assert isinstance(environment.stdout, io.StringIO)
    return environment.stdout.getvalue()


def test_a_plain_line_has_four_fields() -> None:
    assert render_hit(HIT, terminal=False).split("\t") == [
        "decisions/postgres.md",
        "14",
        repr(1 / 62 + 0.2 / 61),
        "We moved to Postgres",
    ]


def test_breaks_in_fields_do_not_make_lines_or_fields() -> None:
    hit = HIT._replace(path="a\tb\nc.md", title="one\ttwo\r\nthree\u2028four\x85")
    line = render_hit(hit, terminal=False)
    assert line.count("\t") == 3
    assert line.splitlines() == [line]


def test_the_highest_score_is_every_stream_at_rank_one() -> None:
    assert highest_score(RESULT) == pytest.approx((1.0 + 0.1) / 61)


@pytest.mark.parametrize(
    ("score", "bar"),
    [
        (0.0, "▱▱▱▱▱▱▱▱▱▱"),
        (0.001, "▰▱▱▱▱▱▱▱▱▱"),
        (0.5, "▰▰▰▰▰▱▱▱▱▱"),
        (1.0, "▰▰▰▰▰▰▰▰▰▰"),
        (3.0, "▰▰▰▰▰▰▰▰▰▰"),  # authority may lift a score above the highest of the fusion
    ],
)
def test_a_score_is_a_bar(score: float, bar: str) -> None:
    assert score_bar(score, 1.0) == bar


def test_no_stream_no_highest_score() -> None:
    assert score_bar(0.0, 0.0) == "▱" * 10


def test_the_list_shows_everything() -> None:
    text = printed(RESULT)
    for wanted in (
        "1. We moved to Postgres",
        "decisions/postgres.md:14",
        "\n   Why\n",
        "**MySQL** had no transactional DDL.",
        "0.0194",
        "lexical, entity",
        "▰▰▰▰▰▰▰▰▰▰",
    ):
        assert wanted in text
    assert "\x1b" not in text
    assert "changed" not in text


def test_a_changed_note_is_said_to_be() -> None:
    result = RESULT._replace(hits=(HIT._replace(changed=True),))
    assert "changed since it was indexed" in printed(result)


def test_colour_marks_instead_of_asterisks() -> None:
    text = printed(RESULT, color="always")
    assert "\x1b[" in text
    assert "**" not in text


def test_a_narrow_terminal_wraps_words_but_not_the_path() -> None:
    text = printed(RESULT, width=24)
    assert "decisions/postgres.md:14" in text
    assert " ".join(text.split()).count("transactional DDL.") == 1


@pytest.mark.parametrize("color", ["never", "always"])
def test_a_vault_cannot_speak_to_the_terminal(color: str) -> None:
    text = printed(evil_result(), color=color, width=200)
    assert "\x1b]" not in text
    assert "\x07" not in text
    assert "\u202e" not in text
    assert r"\x1b]0;owned\x07[bold]x[/bold]\u202e" in text


def test_spans_that_do_not_fit_mark_nothing() -> None:
    passage = PASSAGE._replace(snippet="abc", marks=((2, 9), (1, 1), (-3, 2), (0, 1), (0, 2)))
    assert marked_snippet(passage, colored=False).plain == "**a**bc"


def test_marks_stay_where_they_were_when_text_is_escaped() -> None:
    passage = PASSAGE._replace(snippet="\x1b one", marks=((2, 5),))
    assert marked_snippet(passage, colored=False).plain == r"\x1b **one**"


def test_the_table_has_a_column_a_stream_and_says_why_one_sat_out() -> None:
    table = explain_table(RESULT)
    assert table.columns == (
        "#",
        "note",
        "lexical\n×1",
        "entity\n×0.1",
        "cosine\n(off)",
        "graph\n(skipped)",
        "score",
    )
    assert table.rows == (
        ("1", "decisions/postgres.md:14", "#2\n0.016129", "#1\n0.003279", "-", "-", "0.019408"),
    )
    assert "k = 60" in table.title
    assert table.notes == (
        "entity ×0.1 (0.5 times its 0.2): half of the words match",
        "cosine is off: the index holds no embeddings",
        "graph is skipped: no note to start from",
    )


def test_authority_adds_two_columns() -> None:
    hit = HIT._replace(authority=1.5, score=HIT.rrf * 1.5)
    table = explain_table(RESULT._replace(hits=(hit,)))
    assert table.columns[-3:] == ("rrf", "authority", "score")
    assert table.rows[0][-3:] == ("0.019408", "1.500", "0.029112")


def test_a_plain_table_is_aligned_and_uncut() -> None:
    long = HIT._replace(rank=2, path="日本/" + "x" * 150 + ".md")
    lines = render_table(explain_table(RESULT._replace(hits=(HIT, long))), terminal=False)
    assert "x" * 150 + ".md:14" in lines[3]
    assert lines[2].endswith("0.019408")
    # the two wide characters take four columns: one more character than the other row per wide one
    assert len(lines[2]) == len(lines[3]) + 2


def test_a_drawn_table_folds_and_never_cuts() -> None:
    long = HIT._replace(path="folder/" + "Q" * 200 + ".md")
    environment = terminal(width=60)
    print_table(environment, explain_table(RESULT._replace(hits=(long,))))
    assert isinstance(environment.stdout, io.StringIO)
    text = environment.stdout.getvalue()
    assert text.count("Q") == 200
    assert "…" not in text


def test_a_vault_cannot_speak_through_the_table() -> None:
    environment = terminal(width=200)
    print_table(environment, explain_table(evil_result()))
    assert isinstance(environment.stdout, io.StringIO)
    assert "\x1b" not in environment.stdout.getvalue()
    assert "[bold]" in environment.stdout.getvalue()
    assert not any("\x1b" in line for line in render_table(explain_table(evil_result()), True))


def test_json_is_the_result_unrounded(schema_errors: Any) -> None:
    document: Any = query_document(RESULT)
    assert schema_errors(document) == []
    (result,) = document["results"]
    assert result["score"] == HIT.score
    assert result["rrf"] == sum(one["contribution"] for one in result["streams"].values())
    assert result["streams"]["entity"]["matched"] == ["tag:database"]
    assert "matched" not in result["streams"]["lexical"]
    assert result["passage"]["line"] == 14
    assert "reason" not in document["streams"]["lexical"]
    assert document["streams"]["cosine"]["reason"] == "the index holds no embeddings"
    assert document["streams"]["entity"]["base_weight"] == 0.2


def test_a_path_that_is_not_utf8_can_still_be_opened() -> None:
    assert path_keys("a/b.md") == {"path": "a/b.md"}
    assert path_keys("caf\U0010fee9.md") == {
        "path": r"caf\xe9.md",
        "path_base64": "Y2Fm6S5tZA==",
    }
    via = Contribution(1, 0.4, 0.3 / 61, via=("caf\U0010fee9.md",), hops=1)
    document: Any = hit_document(HIT._replace(streams={"graph": via}))
    assert document["streams"]["graph"]["via"] == [r"caf\xe9.md"]
    assert document["streams"]["graph"]["hops"] == 1


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{path}:{line}", "decisions/postgres.md:14\n"),
        ("{rank}. {title} ({score:.4f})", "1. We moved to Postgres (0.0194)\n"),
        (r"{path}\t{tags}", "decisions/postgres.md\tdatabase,decision\n"),
        (r"{path}\0{line}\\n", "decisions/postgres.md\x0014\\n\n"),
        ("{{{rank}}}", "{1}\n"),
        ("{heading}", "We moved to Postgres > Why\n"),
        ("{title!r:>24}", "  'We moved to Postgres'\n"),
        ("{rank:03d} {changed}", "001 false\n"),
        ("plain", "plain\n"),
    ],
)
def test_a_template_is_filled(template: str, text: str) -> None:
    assert render_template(template, RESULT, terminal=False) == text


@pytest.mark.parametrize(
    "template",
    [
        "{name}",
        "{path.__class__}",
        "{0}",
        "{}",
        "{path",
        "path}",
        "{score:.4q}",
        "{score:99999}",
        "{title:{rank}}",
        "{title!z}",
        "{title:d}",
    ],
)
def test_a_wrong_template_says_what_is_right(template: str) -> None:
    with pytest.raises(UsageError) as caught:
        render_template(template, RESULT, terminal=False)
    assert "{" in caught.value.hint


def test_an_unknown_key_names_them_all() -> None:
    with pytest.raises(UsageError, match=r"knows no `\{name\}`") as caught:
        render_template("{name}", RESULT, terminal=False)
    assert "`{path}`" in caught.value.hint
    assert "`{snippet}`" in caught.value.hint


def test_a_template_on_a_terminal_is_safe() -> None:
    text = render_template(
        "{path} {title} {tags} {snippet} {heading}", evil_result(), terminal=True
    )
    assert "\x1b" not in text
    assert "\u202e" not in text


WHY = WhyReport(
    query="why did we leave mysql",
    vault="/home/user/notes",
    path="people/ada.md",
    title="Ada",
    limit=10,
    listed=False,
    rank=None,
    score=0.0,
    verdict="not in the list: no stream finds it for this query",
    needs="any of: lexical: a word of the query",
    streams={
        "lexical": StreamWhy(
            StreamStatus.OK,
            None,
            None,
            0.0,
            1.0,
            "it has no word of the query",
            lacks=("leave", "mysql"),
            needs="a word of the query",
        ),
        "graph": StreamWhy(
            StreamStatus.OK,
            240,
            0.01,
            0.0,
            0.3,
            "rank 240 is beyond the first 100",
            links=("decisions/postgres.md",),
        ),
        "cosine": StreamWhy(
            StreamStatus.OFF, None, None, 0.0, 0.0, "the index holds no embeddings"
        ),
    },
)


def test_why_in_words() -> None:
    lines = render_why(WHY, terminal=True)
    assert lines[0] == "people/ada.md (Ada)"
    assert lines[1] == "not in the list: no stream finds it for this query"
    text = "\n".join(lines)
    assert "lacks: leave, mysql" in text
    assert "graph: rank 240, gives 0.000000 (weight 0.3)" in text
    assert "links: decisions/postgres.md" in text
    assert "cosine: off; the index holds no embeddings" in text


def test_why_breaks_between_words_on_a_terminal_alone() -> None:
    lines = render_why(WHY, terminal=True, width=40)
    assert lines[1:3] == ["not in the list: no stream finds it for", "    this query"]
    assert "    links: decisions/postgres.md" in lines
    assert all(len(line) <= 40 for line in lines)
    assert render_why(WHY, terminal=False, width=40) == render_why(WHY, terminal=True)


def test_weights_have_three_digits() -> None:
    cosine = StreamReport(StreamStatus.OK, 0.637625, 0.7, 9, 1.0, "it is less sure")
    table = explain_table(RESULT._replace(streams={"cosine": cosine}))
    assert table.columns[2] == "cosine\n×0.638"
    assert table.notes == ("cosine ×0.638 (0.911 times its 0.7): it is less sure",)


def test_why_as_json(schema_errors: Any) -> None:
    document: Any = why_document(WHY)
    assert schema_errors(document) == []
    assert document["rank"] is None
    assert document["streams"]["graph"]["rank"] == 240


def test_why_on_a_terminal_is_safe() -> None:
    report = WHY._replace(title=EVIL, path=f"{EVIL}.md", verdict=EVIL)
    assert not any("\x1b" in line for line in render_why(report, terminal=True))
