NESTED = {
    "list": [1, [2, [3]], ()],
    "tuple": (1, "two", None),
    "one": (1,),
    "set": {"a", "b", "a"},
    "flags": {"yes": True, "no": False},
    5: "number", None: "none", True: "bool",
    "trailing": [1, 2,],
}
BARE = 1, 2
EMPTY = {}
