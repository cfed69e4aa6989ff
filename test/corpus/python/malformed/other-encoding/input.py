# -*- coding: latin-1 -*-
__version__ = "1.0.0"
__tool_description__ = "café"
