"""What a run leaves on disk: its folder, the records of what is written there, and the folders side by side.

`runs` writes here, `results` reads here; neither is known to this room. Begin with `run_folder`, which lists the files.
"""
