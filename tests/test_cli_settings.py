"""Who wins when several set the same thing, and what a vault may set."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.cli.setting_kinds import parse_weight_option, settings_table
from kb.cli.settings import Origin, read_settings
from kb.cli.settings_file import read_vault_file, write_setting
from kb.fusion.options import DEFAULT_K, SearchOptions
from kb.store.errors import KbError, UsageError


@pytest.fixture
def user(tmp_path: Path) -> Path:
    return tmp_path / "config" / "config.toml"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_the_strongest_wins_one_after_the_other(user: Path, vault: Path) -> None:
    variables = {"KB_CONFIG": str(user)}

    def limit(flag: int | None = None) -> tuple[object, Origin]:
        chosen = read_settings(variables, vault, {"limit": flag}).chosen["limit"]
        return chosen.value, chosen.origin

    assert limit() == (10, Origin.DEFAULT)
    write(user, "limit = 1\n")
    assert limit() == (1, Origin.USER)
    write(vault / ".kb.toml", "limit = 2\n")
    assert limit() == (2, Origin.VAULT)
    variables["KB_LIMIT"] = "3"
    assert limit() == (3, Origin.ENVIRONMENT)
    assert limit(0) == (0, Origin.FLAG)
    variables["KB_LIMIT"] = ""
    assert limit() == (2, Origin.VAULT)


def test_defaults_are_those_of_the_search(user: Path) -> None:
    settings, options = read_settings({"KB_CONFIG": str(user)}, None), SearchOptions()
    assert settings.number("k") == options.k == DEFAULT_K
    assert settings.number("limit") == options.limit
    assert settings.number("depth") == options.depth
    assert settings.number("hops") == options.hops
    assert settings.switch("authority") is options.authority
    assert settings.text("mode") == options.mode
    assert settings.weights() == {}


def test_weights_merge_stream_by_stream(user: Path, vault: Path) -> None:
    write(user, "[weights]\nlexical = 2\nentity = 0\n")
    write(vault / ".kb.toml", "weights.graph = 0.5\nweights.lexical = 3\n")
    settings = read_settings({"KB_CONFIG": str(user)}, vault, {"weights.graph": 1.0})
    assert settings.weights() == {"lexical": 3.0, "entity": 0.0, "graph": 1.0}


def test_a_vault_sets_ranking_and_nothing_else(user: Path, vault: Path) -> None:
    write(
        vault / ".kb.toml",
        'k = 10\nmodel = "/tmp/evil"\nauto_update = true\ncolor = "always"\n'
        "surprise = 1\nhops = 9\n",
    )
    settings = read_settings({"KB_CONFIG": str(user)}, vault)
    assert settings.number("k") == 10
    assert settings.text("model") == ""
    assert not settings.switch("auto_update")
    assert settings.text("color") == "auto"
    assert settings.number("hops") == 1
    told = " ".join(settings.warnings)
    for key in ("model", "auto_update", "color", "surprise", "hops"):
        assert f"`{key}`" in told
    assert "`k`" not in told


@pytest.mark.parametrize(
    "content", [b"k = ", b"\xff\xfe", b"[" * 2000, b"k = 1\n" * 100_000, b"k = 1\nk = 2\n"]
)
def test_a_broken_vault_file_only_warns(content: bytes, vault: Path) -> None:
    (vault / ".kb.toml").write_bytes(content)
    read = read_vault_file(vault)
    assert read.values == {}
    assert len(read.warnings) == 1
    assert ".kb.toml" in read.warnings[0]


def test_a_folder_in_place_of_the_file_is_no_file(vault: Path) -> None:
    (vault / ".kb.toml").mkdir()
    assert read_vault_file(vault).values == {}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("limit = 1\nk = = 2\n", "line 2"),
        ('# note\nlimit = "many"\n', "`limit` (line 2)"),
        ("limits = 1\n", "`limits`, which is no setting (line 1)"),
        ("[weights]\n\nlexical = 6\n", "`weights.lexical` (line 3)"),
    ],
)
def test_a_wrong_user_file_names_file_and_line(text: str, wanted: str, user: Path) -> None:
    write(user, text)
    with pytest.raises(KbError) as caught:
        read_settings({"KB_CONFIG": str(user)}, None)
    assert str(user) in caught.value.message
    assert wanted in caught.value.message
    assert caught.value.hint


def test_a_wrong_variable_is_named(user: Path) -> None:
    with pytest.raises(UsageError, match="KB_WEIGHTS_LEXICAL"):
        read_settings({"KB_CONFIG": str(user), "KB_WEIGHTS_LEXICAL": "heavy"}, None)


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("k", "60", 60),
        ("limit", "0", 0),
        ("weights.cosine", "0.25", 0.25),
        ("weights.cosine", "5", 5.0),
        ("mode", "keyword", "lexical"),
        ("mode", "cosine", "semantic"),
        ("authority", "yes", True),
        ("authority", "0", False),
        ("exclude", "a/*, b", ("a/*", "b")),
        ("exclude", "", ()),
        ("language", "DE", "de"),
        ("language", "", ""),
    ],
)
def test_a_value_is_read(key: str, text: str, value: object) -> None:
    assert settings_table()[key].parse(text) == value


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("k", "0"),
        ("k", "-1"),
        ("k", "1.5"),
        ("k", "٣" * 30),
        ("limit", "many"),
        ("hops", "3"),
        ("weights.cosine", "5.1"),
        ("weights.cosine", "-0.1"),
        ("weights.cosine", "nan"),
        ("weights.cosine", "inf"),
        ("mode", "fuzzy"),
        ("authority", "maybe"),
        ("language", "german"),
        ("color", "blue"),
    ],
)
def test_a_wrong_value_is_refused_with_a_hint(key: str, text: str) -> None:
    with pytest.raises(UsageError) as caught:
        settings_table()[key].parse(text)
    assert caught.value.hint


@pytest.mark.parametrize("text", ["lexical", "fuzzy=1", "lexical=6", "lexical=", "=1"])
def test_a_wrong_weight_names_what_is_right(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_weight_option(text)
    assert "`lexical`" in caught.value.hint or "0 to 5" in caught.value.hint


def test_setting_keeps_comments_and_order(user: Path) -> None:
    write(user, "# mine\nlimit = 3 # few\n\n[weights]\nlexical = 2\n")
    write_setting(user, "limit", 5)
    write_setting(user, "weights.graph", 0.5)
    write_setting(user, "exclude", ("a/*", "b"))
    text = user.read_text(encoding="utf-8")
    assert "# mine" in text
    assert "# few" in text
    settings = read_settings({"KB_CONFIG": str(user)}, None)
    assert settings.number("limit") == 5
    assert settings.weights() == {"lexical": 2.0, "graph": 0.5}
    assert settings.texts("exclude") == ("a/*", "b")


def test_taking_back_leaves_the_rest(user: Path) -> None:
    write(user, "k = 5\n[weights]\nlexical = 2\n")
    write_setting(user, "weights.lexical", None)
    write_setting(user, "limit", None)
    assert read_settings({"KB_CONFIG": str(user)}, None).weights() == {}
    assert "k = 5" in user.read_text(encoding="utf-8")
    assert "weights" not in user.read_text(encoding="utf-8")
