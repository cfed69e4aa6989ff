"""Commands. A docstring may say @skill_command(name="fake") without being one."""

from enum import Enum

from omni.foundation.api.decorators import skill_command

from .helper import shout


class Action(str, Enum):
    START = "start"


NOTE = '''
@skill_command(name="also_fake")
def fake(): ...
'''


@skill_command(
    name="smart_commit",
    description="""
    Commit with a "quoted, message" and {"json": [1, 2]} — feat(git): add workflow.

    Args:
        - message: str - The message (required)
        - action: Action = Action.START - A non-empty step
        - tags: list[str] | None - Labels
        • level: how deep to look

    Returns:
        - message: not this one
    """,
    # It's a comment, with an apostrophe and a name="trap"
    category="version_control",
    destructive=True,
)
async def smart_commit(
    message: str,
    action: Action = Action.START,
    tags: list[str] | None = None,
    level: int = -1,
    paths: "ConfigPaths | None" = None,
) -> dict:
    return {"message": shout(message), "action": action, "tags": tags, "level": level}


@skill_command(description="Shows " "the " "status", read_only=True)
def status(short: bool=False): return short
