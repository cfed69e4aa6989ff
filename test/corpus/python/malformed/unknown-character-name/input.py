__tool_description__ = "caf\N{LATIN SMALL LETTER E WITH ACUTE}"
__version__ = "1.0.0"
