A = "é😀"; __version__ = "é😀" + name
