import decorators


@decorators.skill_command
def hello():
    """Say hello."""
    return "hello"


@decorators.skill_command()
def list_things(limit=10, ratio=0.0, names=None, *, deep: bool = False, **options):
    return []
