"""The rules of goods families, over every family: what a wording states, which codes it answers to, how it trades."""

from __future__ import annotations

import re
from itertools import combinations, islice, permutations, product
from random import Random

import pytest

from customs_env.goods import Family, families, family
from customs_env.goods.family import DEGREES, Template
from customs_env.goods.wording import padded
from customs_env.tariff.codes import fold_code
from customs_env.tariff.schedule import load_schedule

ALL = sorted(families())
#: Lines that contradict their own subheading, or carry tariff values or bans: never an answer.
NEVER_AN_ANSWER = {
    "29420012", "30042013", "29419030", "87049012", "44029010", "90279020", "84329010", "85444290", "74040022", "15111000",
    "15119020", "15071000", "08028010", "08028090", "85434000", "88062100", "84151010",
}  # fmt: skip
ORIGINS = {
    "CN", "TW", "KR", "JP", "VN", "TH", "MY", "ID", "SG", "DE", "IT", "NL", "BE", "FR", "ES", "TR", "GB", "US", "BR", "AE", "BD",
}  # fmt: skip
UNITS = {"NOS", "KGS", "MTR", "PRS", "DOZ", "SET", "SQM", "LTR"}
PACKAGES = {"cartons", "bags", "drums", "pallets", "rolls", "bales", "crates", "coils"}
#: A wording is tried with each of its terms and so many random combinations of them; in the slow lane with more.
SAMPLES, MANY_SAMPLES = 4, 60

each_family = pytest.mark.parametrize("name", ALL)


def keys_of(goods: Family) -> list[str]:
    return ["article", *(attribute for attribute in goods.deciding if attribute != "article")]


def stated(goods: Family, text: str) -> dict[str, frozenset[str]]:
    folded = padded(text)
    return {attribute: goods.stated_values(attribute, folded) for attribute in goods.vocabulary}


def wordings(goods: Family) -> list[tuple[str, Template]]:
    return [(degree, template) for degree in DEGREES for template in goods.templates[degree]]


def cas_is_valid(cas: str) -> bool:
    found = re.fullmatch(r"(\d{2,7})-(\d\d)-(\d)", cas)
    if not found:
        return False
    digits = (found[1] + found[2])[::-1]
    return sum(place * int(digit) for place, digit in enumerate(digits, 1)) % 10 == int(found[3])


def test_there_are_at_least_160_families_answering_to_900_items_in_85_chapters() -> None:
    items = {row.tariff_item for goods in families().values() for row in goods.rows}
    assert len(families()) >= 160
    assert len(items) >= 900
    assert len({item[:2] for item in items}) >= 85


def contrast_pairs() -> list[tuple[str, str, tuple[str, str], tuple[str, str]]]:
    """Return family, attribute, the two values and the two items of every pair in which one stated fact flips the item."""
    return [
        (goods.name, pair["attribute"], values, items)
        for goods in families().values()
        for pair in goods.contrast
        for values, items in zip(combinations(pair["values"], 2), combinations(pair["items"], 2), strict=True)
    ]


def test_there_are_at_least_250_contrast_pairs() -> None:
    assert len(contrast_pairs()) >= 250


def test_the_two_descriptions_of_a_contrast_pair_differ_in_that_fact_and_in_the_item() -> None:
    for name, attribute, values, items in contrast_pairs():
        goods = family(name)
        assert items[0] != items[1]
        by_rest: dict[tuple[tuple[str, str], ...], dict[str, str]] = {}
        for row in goods.rows:
            rest = tuple(sorted((key, held) for key, held in row.values.items() if key != attribute))
            by_rest.setdefault(rest, {})[row.values[attribute]] = row.tariff_item
        pairs = [found for found in by_rest.values() if tuple(found.get(value) for value in values) == items]
        assert pairs, (name, attribute, values)
        rest = next(rest for rest, found in by_rest.items() if found in pairs)
        free = {key: next(iter(goods.vocabulary[key])) for key in goods.free}
        said = []
        for value in values:
            held = {**dict(rest), **free, attribute: value}
            (text, *_) = _spellings(goods, goods.templates["precise"][0], held, Random(7), 0)
            said.append(stated(goods, text))
        assert {key for key in said[0] if said[0][key] != said[1][key]} == {attribute}


@each_family
def test_every_attribute_is_article_deciding_or_free(name: str) -> None:
    goods = family(name)
    assert "article" in goods.vocabulary
    assert goods.kind in ("general", "chemical", "textile")
    assert set(goods.vocabulary) == {"article", *goods.deciding, *goods.free}
    assert not set(goods.deciding) & set(goods.free)
    if goods.kind == "textile":
        assert "finish" in (*goods.deciding, *goods.free)


@each_family
def test_no_term_of_one_value_occurs_in_a_term_of_another(name: str) -> None:
    for attribute, values in family(name).padded_terms.items():
        terms = [(value, term) for value, listed in values.items() for term in listed]
        assert all(values.values()), f"{attribute} has a value without terms"
        for (one, inner), (other, outer) in permutations(terms, 2):
            assert one == other or inner not in outer, f"{attribute}: {inner!r} of {one} in {outer!r} of {other}"


@each_family
def test_details_state_nothing_and_look_like_no_code(name: str) -> None:
    goods = family(name)
    for slot, words in goods.details.items():
        assert slot not in goods.vocabulary
        assert len(set(words)) == len(words) >= 4, f"{slot}: at least four different words"
        for word in words:
            assert not re.search(r"\d{4}", word), f"{word!r} looks like a code"
            assert not any(stated(goods, word).values()), f"{word!r} states a particular"


@each_family
def test_rows_answer_to_items_of_the_packages_own_schedule(name: str) -> None:
    goods = family(name)
    schedule = load_schedule()
    for row in goods.rows:
        assert schedule.item(row.tariff_item).code == row.tariff_item
        assert fold_code(row.tariff_item) == row.tariff_item
        assert row.tariff_item not in NEVER_AN_ANSWER
        assert row.reason
        assert not re.search(r"\d{4}", row.reason), "a heading number in the reason"
    assert any(row.tariff_item.startswith(goods.chapter) for row in goods.rows), (
        "the family's chapter has none of its items"
    )


def test_no_goods_carry_a_specific_alternative_rate_that_files_do_not_model() -> None:
    """FLAGS part E: no duty is asked of goods whose rate is a percentage or an amount per unit, whichever is more."""
    schedule = load_schedule()
    rows = [(name, row.tariff_item) for name in ALL for row in family(name).rows]
    assert [row for row in rows if schedule.item(row[1]).bcd_specific is not None] == []


@each_family
def test_every_row_fixes_every_deciding_value_and_one_difference_changes_the_item(name: str) -> None:
    goods = family(name)
    keys = keys_of(goods)
    for row in goods.rows:
        assert sorted(row.values) == sorted(keys)
        assert all(value in goods.vocabulary[attribute] for attribute, value in row.values.items())
    for attribute in keys:
        assert {row.values[attribute] for row in goods.rows} == set(goods.vocabulary[attribute]), (
            f"{attribute}: unused value"
        )
    for one, other in combinations(goods.rows, 2):
        different = [attribute for attribute in keys if one.values[attribute] != other.values[attribute]]
        assert different, "two rows of the same goods"
        assert len(different) > 1 or one.tariff_item != other.tariff_item, f"{different[0]} decides nothing there"


@each_family
def test_contrast_pairs_differ_in_one_attribute_and_in_their_items(name: str) -> None:
    goods = family(name)
    assert goods.contrast
    for pair in goods.contrast:
        attribute = pair["attribute"]
        assert len(pair["values"]) == len(pair["items"]) == len(set(pair["items"]))
        settings = []
        for value, item in zip(pair["values"], pair["items"], strict=True):
            settings.append(
                {
                    tuple(sorted((key, held) for key, held in row.values.items() if key != attribute))
                    for row in goods.rows
                    if row.values[attribute] == value and row.tariff_item == item
                }
            )
        assert set.intersection(*settings), f"{pair}: no two rows differ in {attribute} alone"


@each_family
def test_wordings_have_the_slots_of_what_they_state(name: str) -> None:
    goods = family(name)
    for degree in DEGREES:
        assert len(goods.templates[degree]) >= 3, degree
    for degree, template in wordings(goods):
        assert not re.search(r"\d{4}", template.pattern)
        if degree == "vague":
            assert template.hides
            assert set(template.hides) <= set(goods.deciding) - {"article"}
        else:
            assert not template.hides
        expected = sorted({*keys_of(goods), *goods.free} - set(template.hides))
        assert sorted(slot for slot in template.slots if slot in goods.vocabulary) == expected, template.pattern


def _spellings(goods: Family, template: Template, values: dict[str, str], random: Random, samples: int) -> list[str]:
    """Return the wording with every term of every attribute at least once, and with random details."""
    choices = [
        goods.vocabulary[slot][values[slot]] if slot in values else goods.details[slot] for slot in template.slots
    ]
    most = max(map(len, choices))
    texts = [template.pattern % tuple(words[turn % len(words)] for words in choices) for turn in range(most)]
    texts += [template.pattern % tuple(map(random.choice, choices)) for _ in range(samples)]
    return texts


@each_family
def test_every_wording_states_exactly_the_planned_values(name: str) -> None:
    states_what_is_planned(name, SAMPLES)


@pytest.mark.slow
@each_family
def test_every_wording_states_exactly_the_planned_values_in_many_spellings(name: str) -> None:
    states_what_is_planned(name, MANY_SAMPLES)


def states_what_is_planned(name: str, samples: int) -> None:
    goods = family(name)
    random = Random(7)
    nothing: frozenset[str] = frozenset()
    for row in goods.rows:
        open_values = [goods.vocabulary[attribute] for attribute in goods.free]
        for chosen in islice(product(*open_values), 8):
            values = {**row.values, **dict(zip(goods.free, chosen, strict=True))}
            for _, template in wordings(goods):
                planned = {
                    key: nothing if key in template.hides else frozenset((held,)) for key, held in values.items()
                }
                for text in _spellings(goods, template, values, random, samples):
                    assert stated(goods, text) == planned, text


@each_family
def test_a_vague_wording_leaves_the_item_open_for_some_row(name: str) -> None:
    goods = family(name)
    for template in goods.templates["vague"]:
        visible = [key for key in keys_of(goods) if key not in template.hides]
        groups: dict[tuple[str, ...], set[str]] = {}
        for row in goods.rows:
            groups.setdefault(tuple(row.values[key] for key in visible), set()).add(row.tariff_item)
        assert max(map(len, groups.values())) > 1, f"{template.pattern!r} hides nothing that matters"


@each_family
def test_prices_weights_and_quantities_make_ordinary_and_high_consignments(name: str) -> None:
    goods = family(name)
    low_quantity, high_quantity = goods.quantity
    assert 0 < low_quantity < high_quantity
    assert goods.quantity_step > 0
    for row in goods.rows:
        low, high = row.price_usd_per_unit
        assert 0 < low < high <= 3 * low + 1e-9
        assert high_quantity * low >= 4_000
        assert low_quantity * high <= 40_000
        light, heavy = row.net_kg_per_unit
        assert 0 < light <= heavy <= 3 * light + 1e-9
        if goods.unit == "KGS":
            assert (light, heavy) == (1.0, 1.0)
    assert max(row.price_usd_per_unit[1] for row in goods.rows) * high_quantity * 8 > 60_000


@each_family
def test_trade_habits_use_known_units_packages_and_origins(name: str) -> None:
    goods = family(name)
    assert goods.unit in UNITS
    assert goods.package_kind in PACKAGES
    assert len(goods.origins) >= 3
    assert {origin for row in goods.rows for origin in row.origins} <= ORIGINS
    assert set(goods.origins) <= ORIGINS, "an origin that files never have, Pakistan among them"
    assert set(goods.incoterms) <= {"FOB", "CFR", "CIF"}
    assert goods.incoterms
    assert goods.import_requirements
    assert all(requirement.strip() for requirement in goods.import_requirements)


@each_family
def test_chemicals_name_substances_by_valid_cas_numbers(name: str) -> None:
    goods = family(name)
    for row in goods.rows:
        assert bool(row.composition) == (goods.kind == "chemical")
        for part in row.composition:
            assert cas_is_valid(part["cas"]), part["cas"]
            low, high = part["percent"]
            assert 0 < low <= high <= 100
        if row.un is not None:
            assert re.fullmatch(r"\d{4}", row.un["number"])


@each_family
def test_free_attributes_are_always_stated_and_decide_nothing(name: str) -> None:
    goods = family(name)
    for attribute in goods.free:
        assert attribute not in goods.deciding
        assert all(attribute not in row.values for row in goods.rows)
        assert all(attribute in template.slots for _, template in wordings(goods))


def test_the_qualifiers_of_the_policy_are_the_familys_own_terms_under_neutral_names() -> None:
    for goods in families().values():
        particulars = goods.qualifiers["particulars"]
        assert set(particulars) == set(goods.deciding)
        for attribute, values in particulars.items():
            assert list(values) == [f"v{number}" for number in range(1, len(values) + 1)]
            assert list(values.values()) == [list(terms) for terms in goods.vocabulary[attribute].values()]
