TEMPLATE = """
@skill_command(name="write")
def write(text: str): ...
"""
# @skill_command(name="comment")
