from omni.api import skill_command
# café
@skill_command()
def lost(): pass
