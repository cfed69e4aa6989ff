# __version__ = '1.0.0'
# __executor_id__ = None
#__category__="demo"
echo
