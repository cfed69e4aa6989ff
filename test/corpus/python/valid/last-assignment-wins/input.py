__version__ = "1.0.0"
LIMIT = 1
NAMES = ["a"]
GONE = 1
TAKEN = 1
__version__ = "1.0.1"
LIMIT = compute()
NAMES += ["b"]
del GONE
import TAKEN
