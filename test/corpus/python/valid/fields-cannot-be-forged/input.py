version = "plain"
docstring = "plain"
entry = {"execute": "sync", "main": True}
config_schema = {"type": "array"}
__version__ = "1.0.0"
__proto__ = {"polluted": True}
constructor = {"__proto__": {"polluted": True}}
