"""The composer behind the bundled set `sketches`: props in centimetres, settings, scenes, and their samples.

    kit        palette, tones from one light, basic shapes, lettering as outlines
    faces, limbs, people      figures from joints
    toys, street, garden ...  props and backgrounds by theme
    scene      Setting, Placed, Scene: what stands where, as SVG, as pixels; the counterfactual swap
    sketch     Sketch: a scene with its question, and the records and pictures that follow from it
    scenes/    the samples themselves, a few per file

`python -m mossbench.drawing OUT` draws all of it. Only that needs the extra [draw]: the pictures ship with the package.
"""
