"""The student's program, at the other end of standard input and output."""
import os

_answers = os.fdopen(os.dup(0), encoding="utf-8", errors="replace")
_calls = os.fdopen(os.dup(1), "w")
# What pytest prints is not for the program.
os.dup2(2, 1)


def call(*words):
    """Sends a call and returns the line that the program answers."""
    try:
        print(*words, file=_calls, flush=True)
        answer = _answers.readline(10_000)
    except BrokenPipeError:
        answer = ""
    if not answer.endswith("\n"):
        raise RuntimeError("the program ended in " + " ".join(map(str, words)))
    return answer.rstrip("\n")
