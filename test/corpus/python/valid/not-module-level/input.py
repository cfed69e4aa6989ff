"""Only the module level counts."""

__version__ = "1.0.0"


def helper():
    __version__ = "9"
    INSIDE = 1


class Tool:
    __category__ = "class"
    INSIDE = 1


if True:
    CONDITIONAL = 1

TEXT = """
__executor_id__ = "in a string"
"""
# __category__ = "in a comment"
