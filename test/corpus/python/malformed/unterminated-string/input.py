__version__ = "1.0.0
__category__ = "demo"
