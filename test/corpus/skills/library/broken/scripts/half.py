from omni.api import skill_command


@skill_command()
def before(x: int):
    """Stands before the fault."""


def fault(:
    pass


@skill_command()
def after(y: str = "y"):
    """Stands after the fault."""
