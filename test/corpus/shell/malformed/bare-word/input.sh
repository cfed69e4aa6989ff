# __version__ = beta
# __category__ = demo
echo
