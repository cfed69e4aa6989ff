__version__ = "1.0.0"
__category__ = """demo
__executor_id__ = "inside the string"
