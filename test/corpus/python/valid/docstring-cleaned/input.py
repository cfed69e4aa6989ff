#!/usr/bin/env python3
# rye:signed:2026-02-15T07:11:41Z:aa:bb:cc
"""First line.

    Indented text
      deeper
	A tab.

"""
__version__ = "1.0.0"


async def execute(params, project_path):
    return {}


if "__main__" == __name__:
    pass
