from omni.api import skill_command

CATEGORY = "shell"


@skill_command(
    "nuShell",
    category=CATEGORY,
    description="""Runs a command.""",
    open_world=True,
    idempotent=True,
)
def execute_in_shell(command: str, timeout: float = 2.5):
    pass
