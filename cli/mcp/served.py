"""The vaults that a server answers about, each by a short name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from kb.fusion.vault import Vault
from kb.store.errors import IndexMissingError, KbError, UsageError
from kb.store.files import user_path
from kb.store.locations import find_index


class Served:
    """One vault. `label` is what an agent calls it.

    It is looked for when it is first asked, so that one that is indexed later is served, too.
    """

    def __init__(self, label: str, vault: str = "", index: str = "") -> None:
        self.label = label
        self._vault = vault
        self._index = index
        self._lock = Lock()
        self._found: Vault | None = None

    def open(self) -> Vault:
        """The vault, found once. Raises KbError where it has not been indexed."""
        with self._lock:
            if self._found is None:
                self._found = Vault.open(self._vault, index=self._index)
            return self._found

    def close(self) -> None:
        """Close what is open."""
        if self._found is not None:
            self._found.close()


class ServedVaults:
    """All vaults of a server, in the order in which they were named."""

    def __init__(self, served: Sequence[Served]) -> None:
        self._served = {one.label: one for one in served}

    @property
    def labels(self) -> tuple[str, ...]:
        """What the vaults are called."""
        return tuple(self._served)

    def choose(self, label: str) -> Served:
        """The vault that is called so; "" for the only one. Raises UsageError."""
        names = ", ".join(f"`{one}`" for one in self._served)
        if not label:
            if len(self._served) == 1:
                return next(iter(self._served.values()))
            raise UsageError("several vaults are served", f"name one as `vault`: {names}")
        if label not in self._served:
            raise UsageError(f"no vault `{label}` is served", f"those served are {names}")
        return self._served[label]

    def close(self) -> None:
        """Close what is open."""
        for one in self._served.values():
            one.close()


def make_served(vaults: Sequence[str], index: str) -> tuple[ServedVaults, list[str]]:
    """The vaults that were named, else the one that `kb` would take, and what to say of them.

    One that has not been indexed is served all the same: asking says what to do.
    """
    served: list[Served] = []
    notices: list[str] = []
    for vault in vaults or ("",):
        found = _find(vault, index if not vaults else "", notices)
        name = found.name if found else user_path(vault or "vault").resolve().name
        label = _distinct(name or "vault", [one.label for one in served])
        served.append(Served(label, vault, index if not vaults else ""))
    return ServedVaults(served), notices


def _find(vault: str, index: str, notices: list[str]) -> Path | None:
    """The folder of a vault, None where that is not known yet."""
    try:
        location = find_index(vault, index)
        if location.vault is None:
            return Vault(location.index).folder()
    except IndexMissingError as error:
        notices.append(f"{error.message}: {error.hint}")
        return None
    except KbError as error:
        notices.append(error.message)
        return None
    if location.guessed:
        notices.append(f"serving {location.vault}, the vault indexed last")
    return location.vault


def _distinct(name: str, taken: Sequence[str]) -> str:
    label, number = name, 2
    while label in taken:
        label, number = f"{name}-{number}", number + 1
    return label
