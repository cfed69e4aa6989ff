"""Windows
    lines."""
__version__ = "1.0.0"
TEXT = """a
b"""
JOINED = "a" \
    "b"
