"""Named draw streams. Each is derived by hashing (generation version, task, split, difficulty, seed, stream).

So a draw more in one stream changes nothing in another, and no file needs an earlier one. BLAKE2b gives sixteen 32-bit
words at a time, the same on every platform and Python. A stream is that tuple of words: who draws takes word number
so-and-so, which keeps a file's draws apart from each other and costs nothing.
"""

from __future__ import annotations

from hashlib import blake2b
from struct import Struct

from customs_env.versions import GENERATION_VERSION

#: So many words a stream holds. Longer streams are two of different names.
WORDS = 16
#: Words are below this. A remainder `word % n` has a bias below one in four million for the ranges drawn here.
WORD_RANGE = 1 << 32

_HEAD = f"{GENERATION_VERSION}|"
_unpack = Struct("<16I").unpack


def stream_prefix(task_id: str, split: str, difficulty: str, seed: int, split_key: str = "") -> bytes:
    """Return what all streams of a file have in common."""
    return f"{_HEAD}{task_id}|{split}|{difficulty}|{seed}|{split_key}|".encode()


def draw_words(prefix: bytes, name: bytes) -> tuple[int, ...]:
    """Return the sixteen 32-bit words of the stream `name` of the file whose `stream_prefix` is given."""
    return _unpack(blake2b(prefix + name).digest())
