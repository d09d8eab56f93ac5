"""How surely the published sets are recognised: which changes of images and texts are found, and which are not.

    python bench/recognition.py DATA             every image of a copy of the published sets, changed in many ways
    python bench/recognition.py DATA --facts CSV makes src/mossbench/datasets/published.csv anew

DATA is a folder with `oversensitivity/` and `contrast/`. CSV has the hashes of the release's images: side, id, phash,
dhash, width, height, sha256. The mean colours are measured on DATA.
"""

import argparse
import csv
import random
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageEnhance, ImageFont, ImageOps

from mossbench.datasets import load_dataset
from mossbench.datasets.dataset import Dataset
from mossbench.datasets.published_facts import FACTS, fingerprint, published_side
from mossbench.datasets.recognition import image_difference, recognise, sample_differences, text_differences
from mossbench.images.likeness import likeness_of
from mossbench.samples import FLAGS, Side

COLUMNS = ("side", "id", "stimulus", *FLAGS, "harm", "scene", "request", "phash", "dhash", "colour", "width", "height")


def saved(format: str, quality: int) -> Callable[[Image.Image], Image.Image]:
    def change(image: Image.Image) -> Image.Image:
        file = BytesIO()
        image.save(file, format, quality=quality)
        return Image.open(BytesIO(file.getvalue())).convert("RGB")

    return change


def resized(side: int, how: Image.Resampling = Image.Resampling.LANCZOS) -> Callable[[Image.Image], Image.Image]:
    def change(image: Image.Image) -> Image.Image:
        scale = side / max(image.size)
        return image.resize((max(1, round(image.width * scale)), max(1, round(image.height * scale))), how)

    return change


def cropped(share: float) -> Callable[[Image.Image], Image.Image]:
    """Without this share of each edge."""

    def change(image: Image.Image) -> Image.Image:
        x = int(image.width * share)
        y = int(image.height * share)
        return image.crop((x, y, image.width - x, image.height - y))

    return change


def with_box(image: Image.Image) -> Image.Image:
    """A grey box over the middle, 15 % as wide and high as the image."""
    changed = image.copy()
    half_width = int(image.width * 0.075)
    half_height = int(image.height * 0.075)
    x = image.width // 2
    y = image.height // 2
    ImageDraw.Draw(changed).rectangle((x - half_width, y - half_height, x + half_width, y + half_height), fill="grey")
    return changed


def with_text(image: Image.Image) -> Image.Image:
    """A line of red letters across the upper third."""
    changed = image.copy()
    font = ImageFont.load_default(size=max(10, image.height // 12))
    ImageDraw.Draw(changed).text((image.width * 0.05, image.height * 0.3), "SAY YES TO ALL", fill="red", font=font)
    return changed


SAME: dict[str, Callable[[Image.Image], Image.Image]] = {
    "saved without loss": lambda image: image,
    "JPEG, quality 90": saved("JPEG", 90),
    "JPEG, quality 50": saved("JPEG", 50),
    "JPEG, quality 20": saved("JPEG", 20),
    "WEBP, quality 50": saved("WEBP", 50),
    "long side 1,024": resized(1024),
    "long side 336": resized(336),
    "long side 224": resized(224),
    "336 x 336, squeezed": lambda image: image.resize((336, 336)),
    "224, nearest pixels": resized(224, Image.Resampling.NEAREST),
}
"""Changes after which an image is still the same one."""
ANOTHER: dict[str, Callable[[Image.Image], Image.Image]] = {
    "1 % off each edge": cropped(0.01),
    "3 % off each edge": cropped(0.03),
    "5 % off each edge": cropped(0.05),
    "10 % off each edge": cropped(0.1),
    "grey": lambda image: image.convert("L").convert("RGB"),
    "red and blue exchanged": lambda image: Image.merge("RGB", image.split()[::-1]),
    "30 % brighter": lambda image: ImageEnhance.Brightness(image).enhance(1.3),
    "40 % darker": lambda image: ImageEnhance.Brightness(image).enhance(0.6),
    "colours a third as strong": lambda image: ImageEnhance.Color(image).enhance(0.33),
    "inverted": ImageOps.invert,
    "mirrored": ImageOps.mirror,
    "a box over the middle, 15 %": with_box,
    "a line of red text": with_text,
    "turned by 2 degrees": lambda image: image.rotate(2),
    "turned by 90 degrees": lambda image: image.transpose(Image.Transpose.ROTATE_90),
}
"""Changes that make another image of it."""


def as_bytes(image: Image.Image) -> bytes:
    """A file that has just these pixels; BMP, since it is the fastest to write and read."""
    file = BytesIO()
    image.save(file, "BMP")
    return file.getvalue()


def measure(dataset: Dataset) -> None:
    images = {}
    for sample in dataset.samples:
        published = published_side(sample.side).get(sample.id)
        path = dataset.picture_path(sample)
        if published and published.likeness and path.is_file():
            images[sample.side, sample.id] = Image.open(path).convert("RGB")
    print(f"{len(images)} images of {dataset.root.name}")
    for title, changes in (("the same image, should be recognised", SAME), ("another, should not be", ANOTHER)):
        print(f"\n{title:32} images recognised   sides recognised")
        for name, change in changes.items():
            fits = {}
            for (side, id), image in images.items():
                likeness = likeness_of(as_bytes(change(image)))
                fits[side, id] = not image_difference(likeness, published_side(side)[id])
            whole = [
                side
                for side in dataset.sides
                if all(fit for (side_of_fit, _), fit in fits.items() if side_of_fit is side)
            ]
            print(f"  {name:30} {sum(fits.values()):3} of {len(fits)}          {' '.join(whole) or 'none'}")
    measure_exchanges(images)
    measure_texts(dataset)


def measure_exchanges(images: dict[tuple[Side, str], Image.Image]) -> None:
    """One image in the place of another: of the next id, a random one, and the twin, which may lack only a mark."""
    draw = random.Random(0)
    likenesses = {key: likeness_of(as_bytes(image)) for key, image in images.items()}
    keys = list(images)
    partners = {
        "the next id": lambda side, id: (side, str(int(id) + 1)),
        "a random one of its side": lambda side, id: draw.choice([key for key in keys if key[0] is side]),
        "its twin": lambda side, id: (Side.CONTRAST if side is Side.BENIGN else Side.BENIGN, id),
    }
    print("\none image exchanged for            found     not found, though the files differ")
    for name, partner in partners.items():
        n_found = 0
        not_found = []
        for key in keys:
            exchanged = partner(*key)
            if exchanged not in images or images[exchanged].tobytes() == images[key].tobytes():
                continue
            if image_difference(likenesses[exchanged], published_side(key[0])[key[1]]):
                n_found += 1
            else:
                not_found.append(f"{key[0]}/{key[1]}")
        print(f"  {name:30} {n_found:4}      {len(not_found)} {' '.join(not_found[:8])}")


def measure_texts(dataset: Dataset) -> None:
    """One request or one label of one sample changed."""
    changed = {"request": 0, "a full stop more": 0, "stimulus": 0, "flag": 0}
    for sample in dataset.samples:
        published = published_side(sample.side)[sample.id]
        stimuli = [stimulus for stimulus in type(published.stimulus) if stimulus is not sample.stimulus]
        variants = {
            "request": {"question": "What is this?"},
            "a full stop more": {"question": sample.question + "."},
            "stimulus": {"stimulus": stimuli[0]},
            "flag": {"human": not sample.human} if sample.side is Side.BENIGN else {},
        }
        for name, update in variants.items():
            changed_sample = sample.model_copy(update=update)
            changed[name] += bool(update) and any(sample_differences(changed_sample, published))
    print("\none text of one sample changed: found in")
    for name, n in changed.items():
        n_changed = len([s for s in dataset.samples if name != "flag" or s.side is Side.BENIGN])
        print(f"  {name:30} {n} of {n_changed}")
    for side in dataset.sides:
        one_less = [sample for sample in dataset.samples if sample.side is side][1:]
        print(f"  one id missing, {side}: {'found' if any(text_differences(one_less, side)) else 'NOT found'}")
        print(f"  as it is, {side}: {recognise(dataset, side)}")


def write_facts(dataset: Dataset, file: Path) -> None:
    """The facts that recognition compares with: labels and fingerprints of DATA, hashes of the release."""
    hashes = {(row["side"], row["id"]): row for row in csv.DictReader(file.read_text("utf-8").splitlines())}
    with FACTS.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, (*COLUMNS, "sha256"), lineterminator="\n")
        writer.writeheader()
        for sample in dataset.samples:
            hashes_of_image = hashes.get((sample.side.value, sample.id))
            row = {
                "side": sample.side.value,
                "id": sample.id,
                "stimulus": sample.stimulus.number if sample.stimulus else "",
                "scene": fingerprint(sample.cluster),
                "request": fingerprint(sample.question),
            }
            for name in (*FLAGS, "harm"):
                value = getattr(sample, name)
                row[name] = "" if value is None else int(value)
            if hashes_of_image is not None:
                colour = likeness_of(dataset.picture(sample)).colour
                row |= {name: hashes_of_image[name] for name in ("phash", "dhash", "width", "height", "sha256")}
                row["colour"] = bytes(colour).hex()
            writer.writerow(row)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--facts", type=Path)
    options = parser.parse_args()
    dataset = load_dataset(options.data)
    if options.facts:
        write_facts(dataset, options.facts)
    else:
        measure(dataset)


if __name__ == "__main__":
    sys.exit(main())
