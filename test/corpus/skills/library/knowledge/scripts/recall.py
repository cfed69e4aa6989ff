import omni.api as api
from typing import Annotated, Literal, Optional, Union


@api.skill_command(name="recall")
def recall(
    query: str,
    /,
    mode: Literal["hybrid", "exact"] = "hybrid",
    limit: Optional[int] = 5,
    both: Union[int, str] = 0,
    maybe: Literal["a"] | None = None,
    pair: tuple[int, str] = (1, "x"),
    table: dict[str, list[int]] | None = None,
    weight: Annotated[float, "How much it counts"] = 1.0,
    anything=print(),
):
    """Recall what was kept.

    Args:
        query: What to look for,
            in plain words.
        mode (str): One of two ways.
        limit (int, optional): How many: at most 50.

    Raises:
        both: not a parameter here
    """
