from omni.api import skill_command


@skill_command(
    name="git_repo_analyer",
    description="""
        Analyse a repository.
        """,
    # the category comes after the text
    category="research",
    idempotent=True,
    open_world=True,
    inject_root=True,
)
async def run(repo_url: str, root=None):
    pass
