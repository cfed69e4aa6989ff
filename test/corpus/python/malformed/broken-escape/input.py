__tool_description__ = "bad \x4 escape"
__version__ = "1.0.0"
