from typing import Any, Final

__version__: str = "2.0.0"
__tool_type__: Final = "python"
CONFIG_SCHEMA: dict[str, Any] = {"type": "object"}
LATER: int
A = B = "both"
(C) = 3
D = 1; E = 2
