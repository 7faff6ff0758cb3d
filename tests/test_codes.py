"""Spellings of tariff codes, against vectors and by property."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from customs_env.errors import CodeSpellingError, TariffError
from customs_env.tariff import fold_code, load_schedule, normalise_code, normalise_item

VECTORS = json.loads((Path(__file__).parent / "vectors" / "codes.json").read_text(encoding="utf-8"))
FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")


@pytest.mark.parametrize(("text", "digits"), VECTORS["items"])
def test_accepted_spellings_of_items_fold_to_eight_digits(text, digits):
    assert normalise_item(text) == normalise_code(text) == fold_code(text) == digits


@pytest.mark.parametrize(("text", "digits"), VECTORS["codes"])
def test_shorter_codes_are_codes_but_no_items(text, digits):
    assert normalise_code(text) == digits
    assert fold_code(text) is None


@pytest.mark.parametrize(("text", "says"), VECTORS["lost_zero"])
def test_a_lost_leading_zero_is_named_and_never_completed(text, says):
    with pytest.raises(CodeSpellingError, match=f"zero of {says} seems lost"):
        normalise_code(text)
    assert fold_code(text) is None
    assert not load_schedule().has_item(text)


@pytest.mark.parametrize(("text", "says"), VECTORS["refused"])
def test_other_spellings_are_refused_with_the_reason(text, says):
    with pytest.raises(CodeSpellingError, match=says) as caught:
        normalise_code(text)
    assert "seems lost" not in str(caught.value)
    assert fold_code(text) is None


@pytest.mark.parametrize(("text", "says"), VECTORS["not_items"])
def test_a_shorter_code_is_named_for_what_it_is(text, says):
    with pytest.raises(CodeSpellingError, match=f"{text} {says}, not a tariff item"):
        normalise_item(text)


@pytest.mark.parametrize("text", VECTORS["not_indian"])
def test_well_spelt_codes_that_are_no_indian_item_are_refused_by_the_schedule(text):
    assert fold_code(text) is not None
    assert not load_schedule().has_item(text)
    with pytest.raises(TariffError):
        load_schedule().item(text)


@pytest.mark.parametrize("value", [None, 85183019, 85183019.0, True, b"85183019", ["85183019"], {}, object()])
def test_what_is_no_text_is_refused(value):
    with pytest.raises(CodeSpellingError, match="text"):
        normalise_code(value)
    assert fold_code(value) is None
    assert not load_schedule().has_item(value)
    with pytest.raises(CodeSpellingError):
        load_schedule().item(value)


def test_messages_do_not_echo_long_input():
    with pytest.raises(CodeSpellingError) as caught:
        normalise_code("9" * 100_000)
    assert len(str(caught.value)) < 300


@given(st.text(max_size=60))
def test_any_text_either_folds_or_is_refused(text):
    folded = fold_code(text)
    try:
        digits = normalise_code(text)
    except CodeSpellingError:
        assert folded is None
    else:
        assert len(digits) in (2, 4, 6, 8)
        assert digits.isascii()
        assert digits.isdigit()
        assert folded == (digits if len(digits) == 8 else None)


@given(st.integers(0, 99_999_999), st.data())
def test_every_separator_and_width_folds_to_the_same_digits(number, data):
    digits = f"{number:08d}"
    pieces = [character.translate(FULL_WIDTH) if data.draw(st.booleans()) else character for character in digits]
    text = pieces[0] + "".join(data.draw(st.sampled_from(["", ".", " "])) + piece for piece in pieces[1:])
    text = " " * data.draw(st.integers(0, 2)) + text + " " * data.draw(st.integers(0, 2))
    assert normalise_item(text) == fold_code(text) == digits


@given(st.text(alphabet="0123456789", min_size=1, max_size=12))
def test_no_digit_is_ever_added_or_dropped(digits):
    try:
        assert normalise_code(digits) == digits
    except CodeSpellingError:
        assert len(digits) not in (2, 4, 6, 8)
