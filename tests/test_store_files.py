"""Where a user's own folders are."""

from __future__ import annotations

import sys

import platformdirs
import pytest

from kb.store.files import plain_user_folder

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems ask platformdirs")
KINDS = {
    "XDG_DATA_HOME": (".local/share", platformdirs.user_data_path),
    "XDG_CONFIG_HOME": (".config", platformdirs.user_config_path),
}


@pytest.mark.parametrize("variable", KINDS)
@pytest.mark.parametrize("home", ["/home/ada", "/home/ada/", "/", "/home/a b/é"])
def test_the_usual_folder_is_that_of_platformdirs(
    variable: str, home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    below, of_platformdirs = KINDS[variable]
    monkeypatch.setenv("HOME", home)
    monkeypatch.delenv(variable, raising=False)
    monkeypatch.delenv("ANDROID_DATA", raising=False)
    assert plain_user_folder(variable, below) == of_platformdirs("kb-search", appauthor=False)


@pytest.mark.parametrize(
    "said", [{"XDG_DATA_HOME": "/srv"}, {"HOME": ""}, {"HOME": "ada"}, {"ANDROID_DATA": "/data"}]
)
def test_where_anything_says_otherwise_platformdirs_is_asked(
    said: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    assert plain_user_folder("XDG_DATA_HOME", ".local/share") is None
