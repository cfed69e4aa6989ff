from omni.foundation.api.decorators import skill_command


@skill_command(name="crawl_many", description="Read many pages", category="research")
def crawl_many(
    urls: list[str],
    depth: int = 1,
    limit: int = 20,
    offset: int = 0,
    width: int = -1,
    ratio: float = 0.0,
    threshold: float = 0.35,
    mode: str = "",
    language: str = "en",
    prefix: str = '',
    recursive: bool = True,
    images: bool = False,
    headers: dict[str, str] | None = None,
    options: dict = {},
    only: list = [],
    agent: str | None = None,
    retries: int | None = 3,
    title: str = "a: b = c, (d)",
    note: "str" = "it's",
) -> None:
    pass
