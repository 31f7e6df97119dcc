"""Text to the tokens of a full-text column, with the place each came from."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from itertools import pairwise
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from kb.text.characters import APOSTROPHES, CLASSES, classes_of, normalise, plain, without_joiners
from kb.text.stemming import keeps_first_letter, stem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

# Raised whenever the same text would give other tokens, so that an index can tell.
ANALYSER_VERSION = 1

LONGEST_TOKEN = 64
# One character may stand for eighteen (U+FDFA), so that a page of them would be a book of words.
_LONGEST_CHUNK = 256
_MEMO_LIMIT = 200_000


class Token(NamedTuple):
    """One token and the half-open span of the text it stands for."""

    text: str
    start: int
    end: int


_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_ASCII_CHUNK_TEXT = r"[A-Za-z0-9]+(?:'[A-Za-z][A-Za-z0-9]*)*"
_ASCII_CHUNK = re.compile(_ASCII_CHUNK_TEXT)
_CLUSTER = re.compile(r"c[amz]*|[amz]+")
_WORD_RUN = re.compile(r"[Ulbdmac]+")
# Where a name in camel case is cut: userName, XMLHttp, base64Encode.
_CAMEL = re.compile(r"(?<=[lm])(?=U)|(?<=U)(?=Ul)|(?<=d)(?=Ul)")
_ACRONYM = re.compile(r"U[Ud]*l")  # APIs, RNAi
_VERSION = re.compile(r"[vV][0-9]+")

# What an apostrophe cuts off in front (French, Italian, Catalan, Irish) and behind (English).
_ELIDED = frozenset(
    (
        "l", "d", "j", "m", "t", "s", "n", "c", "b", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu",
        "presqu", "quelqu", "dell", "all", "dall", "nell", "sull", "coll", "un", "quell", "quest",
        "bell", "sant", "anch", "com", "dov", "gl",
    )
)  # fmt: skip
_CLITICS = ("s", "ll", "re", "ve", "d", "m")


@lru_cache(maxsize=64)
def _chunks_but(letters: str) -> re.Pattern[str]:
    """ASCII units in group 1, behind what is between them and plain words with these initials."""
    plain = f"[{letters}{letters.upper()}][a-z]*+(?![A-Za-z0-9'])"
    return re.compile(rf"(?:{plain}|[^A-Za-z0-9])*+({_ASCII_CHUNK_TEXT}|\Z)")


@cache
def _chunk_pattern() -> re.Pattern[str]:
    """The units of a class string; made when a text is met that is not ASCII."""
    return re.compile(
        r"""(?P<dense>[ca][camz]*)
        | (?P<word>[Ulbd][Ulbdmz]* (?: ['·][Ulb][Ulbdmz]* | (?<=b)"(?=b)[Ulbdmz]+ )*)
        | (?P<symbol>s[semz]* | (?<![Ulbdmz])t)""",
        re.VERBOSE,
    )


def analyse(text: str, language: str) -> list[str]:
    """The tokens of `text`, a note or field in `language` (ISO 639-1, "" unknown), in order.

    Words are stemmed for their script and
    language; a run of a script without spaces gives `A AB B BC C`, so that any part of the run
    is a contiguous sequence of tokens. Stop words stay, since phrases need them.
    """
    return token_text(text, language).split()


def token_text(text: str, language: str) -> str:
    """As `analyse`, joined with spaces: what fills a column of the index."""
    memo = _memo_for(language)
    return " ".join(filter(None, map(memo.__getitem__, text.split())))


def scan(text: str, language: str, firsts: str = "") -> Iterator[Token]:
    """As `analyse`, each token with its span in `text` as it stands.

    With `firsts`, words of lower case that give a token which begins with none of these letters
    are left out where that can be told without stemming.
    """
    memo = _memo_for(language)
    for kind, start, end in chunks(text, firsts if keeps_first_letter(language) else ""):
        chunk = text[start:end]
        if kind != "word":
            found: Iterable[Token] = _rare_tokens(kind, chunk, language)
        elif chunk.isalnum() and (stemmed := memo[chunk]) and " " not in stemmed:
            yield Token(stemmed, start, end)
            continue
        else:
            found = word_tokens(chunk, language)
        for token in found:
            yield Token(token.text, token.start + start, token.end + start)


def find_tokens(text: str, language: str, wanted: Collection[str]) -> Iterator[Token]:
    """The tokens of an ASCII text that are among `wanted`, each with its span.

    Each different word is looked at once, and told by its first letter where that is enough.
    """
    memo = _memo_for(language)
    firsts = {token[0] for token in wanted} if keeps_first_letter(language) else None
    found: dict[str, list[Token]] = {}
    for chunk in set(_ASCII_CHUNK.findall(text)):
        if firsts and chunk[0].lower() not in firsts and is_plain_word(chunk):
            continue
        tokens = memo[chunk]
        if tokens in wanted or (" " in tokens and any(one in wanted for one in tokens.split())):
            found[chunk] = [token for token in scan(chunk, language) if token.text in wanted]
    for match in _ASCII_CHUNK.finditer(text) if found else ():
        for token in found.get(match[0], ()):
            start = match.start()
            yield Token(token.text, start + token.start, start + token.end)


def is_plain_word(chunk: str) -> bool:
    """Whether a word is of ASCII letters, all in lower case but the first perhaps."""
    return chunk.isascii() and chunk.isalpha() and (chunk.islower() or chunk[1:].islower())


def chunks(text: str, firsts: str = "") -> Iterator[tuple[str, int, int]]:
    """The units of `text` as (kind, start, end); kind is "dense", "word" or "symbol".

    With `firsts`, plain words that begin with none of these letters may be left out.
    """
    if text.isascii():
        if others := "".join(sorted(_LETTERS.difference(firsts))) if firsts else "":
            for match in _chunks_but(others).finditer(text):
                if match[1]:
                    yield "word", match.start(1), match.end(1)
            return
        for match in _ASCII_CHUNK.finditer(text):
            yield "word", match.start(), match.end()
        return
    for match in _chunk_pattern().finditer(classes_of(text)):
        yield match.lastgroup or "", match.start(), match.end()


class _Memo(dict[str, str]):
    """What stands between white space to its tokens in one language, joined.

    No token comes from both sides of white space. Starts again when it has grown too large.
    """

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language

    def __missing__(self, piece: str) -> str:
        simple = len(piece) <= LONGEST_TOKEN and is_plain_word(piece)
        if simple and (piece[0] != "I" or self.language != "tr"):
            tokens = stem(piece.lower(), self.language)  # most words, and faster
        else:
            tokens = " ".join(filter(None, self._tokens(piece)))
        if len(piece) <= LONGEST_TOKEN:
            if len(self) >= _MEMO_LIMIT:
                self.clear()
            self[piece] = tokens
        return tokens

    def _tokens(self, piece: str) -> Iterable[str]:
        if not piece.isascii():
            return self._rare_tokens(unicodedata.normalize("NFC", piece))
        words = _ASCII_CHUNK.findall(piece)
        if words == [piece]:
            return [token.text for token in word_tokens(piece, self.language)]
        return map(self.__getitem__, words)

    def _rare_tokens(self, piece: str) -> Iterator[str]:
        for kind, start, end in chunks(piece):
            chunk = piece[start:end]
            if kind == "dense":
                yield from _dense_texts(chunk)
            elif kind == "symbol":
                yield from (token.text for token in _symbol_tokens(chunk, self.language))
            elif chunk == piece:
                yield from (token.text for token in word_tokens(chunk, self.language))
            else:
                yield self[chunk]


_memos: dict[str, _Memo] = {}


def _memo_for(language: str) -> _Memo:
    if language not in _memos:
        if len(_memos) > 64:
            _memos.clear()
        _memos[language] = _Memo(language)
    return _memos[language]


def word_tokens(chunk: str, language: str) -> list[Token]:
    """The tokens of one word chunk, spans relative to it."""
    tokens = []
    for piece, start, end in apostrophe_pieces(chunk, language):
        parts = name_parts(piece)
        exact = bool(parts) and parts[-1][2] == end - start
        for part, part_start, part_end in parts:
            token = _token(part, language)
            if token:
                first = start + part_start if exact else start
                last = start + part_end if exact else end
                tokens.append(Token(token, first, last))
    return tokens


def _token(part: str, language: str) -> str:
    if language == "tr":
        part = part.replace("I", "ı").replace("İ", "i")
    if len(part) > LONGEST_TOKEN:
        return plain(part)[:LONGEST_TOKEN]
    return stem(normalise(part), language)[:LONGEST_TOKEN]


def name_parts(piece: str) -> list[tuple[str, int, int]]:
    """The parts of a word in camel case or of a version (v2), else the word itself.

    The word is taken in NFKC; a span is relative to that form.
    """
    if piece.isascii():
        return _parts_of_run(piece, 0)
    piece = unicodedata.normalize("NFKC", without_joiners(piece[:_LONGEST_CHUNK]))
    piece = piece[:_LONGEST_CHUNK].replace("\u00b7", "")
    # A compatibility form may bring in what is no part of a word: the bar of ½.
    runs = _WORD_RUN.finditer(classes_of(piece))
    return [part for run in runs for part in _parts_of_run(piece[slice(*run.span())], run.start())]


def _parts_of_run(run: str, offset: int) -> list[tuple[str, int, int]]:
    whole = [(run, offset, offset + len(run))]
    if len(run) > LONGEST_TOKEN:
        return whole
    if _VERSION.fullmatch(run):
        return [(run[0], offset, offset + 1), (run[1:], offset + 1, offset + len(run))]
    if run.islower():
        return whole
    return [(part, offset + start, offset + end) for part, start, end in _camel_parts(run)]


def _camel_parts(piece: str) -> list[tuple[str, int, int]]:
    classes = classes_of(piece)
    cuts = [match.start() for match in _CAMEL.finditer(classes)]
    bounds = [0, *cuts, len(piece)]
    pairs = list(pairwise(bounds))
    # One letter alone is no part: iPhone, pH, LaTeX, mRNA stay whole.
    if not cuts or _ACRONYM.fullmatch(classes) or any(end - start < 2 for start, end in pairs):
        return [(piece, 0, len(piece))]
    return [(piece[start:end], start, end) for start, end in pairs]


def is_elided(piece: str) -> bool:
    """Whether `piece` is what an apostrophe leaves of an article or pronoun: l', qu', dell'."""
    return piece.casefold() in _ELIDED


# Signs inside a word that a reader would leave out.
_INNER = dict.fromkeys(map(ord, APOSTROPHES + '\u00b7\u2027"\u05f4'), "'")


def apostrophe_pieces(chunk: str, language: str) -> list[tuple[str, int, int]]:
    """The chunk cut or joined at its apostrophes, as (text, start, end)."""
    texts = chunk.translate(_INNER).split("'")
    if len(texts) == 1:
        return [(chunk, 0, len(chunk))]
    pieces = []
    start = 0
    for text in texts:
        pieces.append((text, start, start + len(text)))
        start += len(text) + 1
    if language == "tr":  # İstanbul'da: what follows a name's apostrophe is an ending
        return pieces[:1]
    while len(pieces) > 1 and pieces[-1][0].casefold() in _CLITICS:
        pieces.pop()
    front: list[tuple[str, int, int]] = []
    while len(pieces) > 1 and is_elided(pieces[0][0]):
        front.append(pieces.pop(0))
    joined = "".join(piece for piece, _, _ in pieces)
    # Lower case here: O'Brien is one name, not two parts of one in camel case.
    joined = joined.lower() if len(pieces) > 1 else joined
    return [*front, (joined, pieces[0][1], pieces[-1][2])]


def _rare_tokens(kind: str, chunk: str, language: str) -> Iterator[Token]:
    return _dense_tokens(chunk) if kind == "dense" else _symbol_tokens(chunk, language)


def clusters(run: str) -> list[Token]:
    """The graphemes of a run of a script without spaces: a letter with what belongs to it."""
    found = []
    for match in _CLUSTER.finditer(classes_of(run)):
        raw = run[match.start() : match.end()]
        if len(raw) == 1 and unicodedata.is_normalized("NFKC", raw):
            found.append(Token(raw, match.start(), match.end()))
            continue
        text = normalise(without_joiners(raw))
        for part in _CLUSTER.finditer(classes_of(text)):
            cluster = text[part.start() : part.end()][: LONGEST_TOKEN // 2]
            found.append(Token(cluster, match.start(), match.end()))
    return found


def _dense_texts(run: str) -> Iterable[str]:
    """The texts of `_dense_tokens`."""
    # Where every character is a grapheme in its final form, as in most runs.
    if not classes_of(run).strip("c") and unicodedata.is_normalized("NFKC", run):
        return _interleaved(run)
    return (token.text for token in _dense_tokens(run))


def _interleaved(run: str) -> list[str]:
    """`A AB B BC C` for a simple run."""
    tokens = [""] * (2 * len(run) - 1)
    tokens[::2] = run
    tokens[1::2] = map(add, run, run[1:])
    return tokens


def _dense_tokens(run: str) -> Iterator[Token]:
    """`A AB B BC C` for the graphemes A, B, C."""
    previous: Token | None = None
    for cluster in clusters(run):
        if previous:
            yield Token(previous.text + cluster.text, previous.start, cluster.end)
        yield cluster
        previous = cluster


def _symbol_tokens(run: str, language: str) -> Iterator[Token]:
    """One token a symbol; a row of the same symbol counts for three at most."""
    repeated, previous = 0, ""
    for index, char in enumerate(run):
        if CLASSES[ord(char)] not in "st":
            continue
        repeated = repeated + 1 if char == previous else 1
        previous = char
        if repeated > 3:
            continue
        compatible = unicodedata.normalize("NFKC", char)
        if compatible == char:
            yield Token(char, index, index + 1)
        else:  # ㈱, ℃: what they abbreviate
            for token in analyse(compatible, language):
                yield Token(token, index, index + 1)
