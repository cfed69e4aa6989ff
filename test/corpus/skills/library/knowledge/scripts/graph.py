from omni.api import skill_command as command, skill_resource


@command(name="graph_stats", category="graph")
def show_stats(project_root: "Path | None" = None):
    """Numbers of the graph."""


@skill_resource(name="graph_stats", description="The numbers as a document")
def graph_stats_resource():
    return {}


class Store:
    @command(name="bound")
    def method(self, key: str):
        """A method."""
