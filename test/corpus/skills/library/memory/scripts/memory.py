from omni.api import skill_command


@skill_command(name="save_memory", description="")
def save_memory(content: str) -> str:
    """Keep a text."""
