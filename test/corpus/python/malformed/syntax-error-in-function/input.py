"""Still read."""
__version__ = "1.0.0"


def broken(:
    return 1


def execute(params, project_path):
    return {}


CONFIG_SCHEMA = {
    "type": "object",
}
