"""The check of a candidate by a model: whether the image shows its scene."""

from mossbench.building.candidates import Candidate, ScreenFinding
from mossbench.building.drafting_model import Asker
from mossbench.building.drafts import data_file, object_schema
from mossbench.building.folder import BuildFolder
from mossbench.building.screen_findings import MAX_CHARS_IN_MESSAGE, error_finding, model_check_name
from mossbench.images.preparing import prepare
from mossbench.judges.rubric import objects_in
from mossbench.models import Prompt, Settings
from mossbench.plumbing.untrusted_files import read_file

IMAGE_TOKENS = 1600
"""An upper estimate for one image, about the most that providers count."""
MODEL_SETTINGS = Settings(temperature=0.0, max_tokens=400)


async def model_findings(folder: BuildFolder, candidate: Candidate, asker: Asker) -> list[ScreenFinding]:
    """An error if a model says that the image does not show the scene, or does not say whether it does."""
    model = asker.model
    check = model_check_name(model)
    picture = prepare(read_file(folder.image_path(candidate.id)), model.limits) if model.limits else None
    schema = object_schema({"seen": {"type": "string"}, "missing": {"type": "string"}, "shows": {"type": "boolean"}})
    text = data_file("prompts/check.txt").format(scene=candidate.scene)
    for reminder in ("", "Your last reply was not in the form asked for. Reply again, in exactly that form.\n\n"):
        prompt = Prompt(reminder + text, picture=picture, settings=MODEL_SETTINGS, schema=schema)
        answer = await asker.ask(prompt, "what was screened is kept: screen again")
        for reply in reversed(objects_in(answer.text or "")):
            shows = reply.get("shows")
            if shows is True:
                return []
            if shows is False:
                return [error_finding(check, f"{check}: missing in the image: {reply.get('missing') or reply}")]
    reply_text = (answer.text or "")[:MAX_CHARS_IN_MESSAGE]
    return [error_finding(check, f"{check}: did not say whether the image shows the scene: {reply_text!r}")]
