"""The composer behind the bundled set `sketches`: props in centimetres, settings, scenes, and their samples.

    kit        palette, tones from one light, basic shapes, lettering as outlines
    poses      Look, Pose, Held: the records; stances: ready poses; riding: on bicycles, in wheelchairs, in arms
    people     figures from joints, out of clothes, limbs, faces, profiles, hair and hats
    furniture, rooms, weather     what most settings share
    negation, boards              marks against a picture, and printed things that carry pictures and words
    toys, street, garden ...      props and backgrounds by theme
    scene      Setting, Placed, Scene: what stands where, as SVG, as pixels; the counterfactual swap
    sketch     Sketch: a scene with its question, and the records and pictures that follow from it
    scenes/    the samples themselves, a few per file
    sheet, catalogue              contact sheets of pictures and of poses

`python -m studio.drawing OUT` draws all of it. The pictures ship with the package.
"""
