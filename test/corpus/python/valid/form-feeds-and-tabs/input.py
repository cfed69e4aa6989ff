"""Sections."""

__version__ = "1.0.0"
if True:
	x = 1
        
CONFIG = {
	"tab": "a	b",
}
