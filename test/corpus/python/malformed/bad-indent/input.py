__version__ = "1.0.0"
if True:
        a = 1
    b = 2
__category__ = "demo"
