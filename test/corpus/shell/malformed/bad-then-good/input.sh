# CONFIG = [1, 2
# __version__ = "1.0.0"
echo
