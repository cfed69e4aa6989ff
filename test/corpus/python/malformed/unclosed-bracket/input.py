__version__ = "1.0.0"
values = [
    1,
__category__ = "demo"
CONFIG = {
    "a": 1,
}
