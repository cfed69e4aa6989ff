<<<<<<< HEAD
__version__ = "1.0.0"
=======
__version__ = "1.0.1"
>>>>>>> branch
__category__ = "demo"
