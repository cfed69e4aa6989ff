__version__ = "1.0.0"
def execute(params):
    return {}
