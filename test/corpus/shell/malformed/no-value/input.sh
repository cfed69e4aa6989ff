# __version__ =
echo
