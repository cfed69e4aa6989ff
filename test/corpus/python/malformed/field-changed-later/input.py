CONFIG_SCHEMA = {"type": "object", "properties": {}}
CONFIG_SCHEMA["properties"]["a"] = {"type": "string"}
CONFIG = {}
CONFIG |= {"a": 1}
__version__, __category__ = "1.0.0", "demo"
