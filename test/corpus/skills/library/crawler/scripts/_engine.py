from __future__ import annotations

from typing import Any, Literal

from omni.foundation.api.decorators import skill_command
from omni.foundation.config import ConfigPaths


@skill_command(
    name="crawl_url",
    category="research",
    description="""
    Read a page — and what it links to.

    Call it as `@omni("crawler.crawl_url", {"url": "https://example.com", "fields": {"a": [1, 2]}})`.

    Args:
        - url: str - Address of the page (required)
        - action: str = "smart" - One of:
            - smart: what is needed
            - full: everything
        - fields: dict[str, Any] | str | None = None - What to keep
        - None

    Returns:
        The text; "quotes", (brackets) and commas, too.
    """,
    read_only=True,
    destructive=False,
    idempotent=True,
    open_world=True,
    autowire=True,
)
async def crawl(
    url: str,
    action: Literal["smart", "skeleton", "crawl", "full"] = "smart",
    fields: dict[str, Any] | str | None = None,
    indexes: list[int] | None = None,
    paths: ConfigPaths | None = None,
) -> dict[str, Any]:
    return {}


@skill_command(name="flush", autowire=True)
async def flush_cache(paths: ConfigPaths | None = None) -> str:
    """Forget every page."""
    return ""
