__version__ = "1.0.0"
print "hello"
__category__ = "old"
