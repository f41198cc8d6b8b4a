"""How the SciPy scripts beside it time a call."""

import math
import time


def timed(call, least=0.3):
    """Seconds of one call: the best of as many as fill `least` seconds, at least three."""
    best, spent, n = math.inf, 0.0, 0
    while spent < least or n < 3:
        begin = time.perf_counter()
        call()
        once = time.perf_counter() - begin
        best, spent, n = min(best, once), spent + once, n + 1
    return best
