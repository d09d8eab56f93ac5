"""Which questions a local model answers together; needs no torch."""

import math

from hypothesis import given
from hypothesis import strategies as st

from mossbench.models.local.grouping import cost, length, next_batch, seed_of
from mossbench.models.model import Prompt, Settings

PROMPTS = st.builds(
    Prompt,
    st.text(max_size=80),
    st.none() | st.just("Be brief."),
    settings=st.builds(Settings, seed=st.integers(1, 2), max_tokens=st.integers(8, 9)),
)


@given(st.lists(PROMPTS, min_size=1, max_size=40), st.integers(1, 9), st.floats(1, 20_000) | st.just(math.inf))
def test_a_batch_has_the_oldest_prompt_fits_and_is_drawn_alike(waiting, most, room):
    places = next_batch(waiting, most, room)
    chosen = [waiting[place] for place in places]
    assert 0 in places and len(set(places)) == len(places) <= most
    assert len(chosen) == 1 or cost(chosen) <= room
    assert {prompt.settings.max_tokens for prompt in chosen} == {waiting[0].settings.max_tokens}


@given(st.lists(PROMPTS, max_size=40), st.integers(1, 9), st.floats(1, 20_000))
def test_every_prompt_is_in_one_batch(waiting, most, room):
    left = list(waiting)
    served = 0
    while left:
        places = set(next_batch(left, most, room))
        left = [prompt for place, prompt in enumerate(left) if place not in places]
        served += len(places)
    assert served == len(waiting)


def test_prompts_of_like_length_go_together():
    waiting = [Prompt("x" * n) for n in (40, 4000, 44, 4400, 36, 3600)]
    assert sorted(next_batch(waiting, 3)) == [0, 2, 4]
    assert length(waiting[1]) == 100 * length(waiting[0])


def test_epochs_share_their_batches_and_every_batch_and_epoch_draws_anew():
    waiting = [Prompt(f"question {i % 3}", settings=Settings(seed=42 + i // 3)) for i in range(6)]
    assert len(next_batch(waiting, 4)) == 4  # not the three of the first epoch
    batches = [waiting[:3], waiting[3:], waiting[:2], waiting]
    assert len({seed_of(batch) for batch in batches}) == 4
    assert seed_of(list(waiting)) == seed_of(waiting)
