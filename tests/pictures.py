"""Pictures made in memory."""

import io

from PIL import Image


def png(colour="#808080", size=(64, 48)):
    buffer = io.BytesIO()
    Image.new("RGB", size, colour).save(buffer, "PNG")
    return buffer.getvalue()
