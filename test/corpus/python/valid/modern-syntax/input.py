__version__ = "1.0.0"
type Pair = tuple[int, int]
SLICE = "x"[0:1]


def generic[T](a: T, /, *, b: int = 1) -> T:
    match a:
        case {"x": [1, *rest]} if rest:
            pass
        case _:
            pass
    with (open("a") as f, open("b") as g):
        pass
    if (n := 10) > 5:
        print(f"{n!r:>{n}} {f"{n}"}")
    return a


__category__ = "modern"
