"""The decision policy as agents read it: a JSON object, complete enough to program every finding from it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from customs_env.scenarios.case import Case
from customs_env.scenarios.flags import FLAG_RULES
from customs_env.scenarios.policy import (
    AZO_EXEMPT_ORIGINS,
    COLOUR_WORDS,
    CONTROLLED_SUBSTANCES,
    IDENTITY_COUNT,
    IDENTITY_FLAGS,
    ORDINARY_OUTLETS,
    POLICY_VERSION,
    Policy,
)
from customs_env.scenarios.reading import LEGAL_FORM_WORDS, UNITS

ROLE = (
    "You act as customs broker (Custom House Agent) for the importer, before the Bill of Entry is filed. The snapshot "
    "of law, tariff and rates is 2025-12-22."
)

RECOMMENDATION_TEXT = {
    "refer_to_customs": "A finding of class refer: controlled or prohibited goods without a permit. Letters cannot "
    "cure it; the Deputy or Assistant Commissioner is informed before anything is filed.",
    "hold": "A finding of class hold and none of class refer: the papers do not establish what goods these are or "
    "whose, or something compulsory is missing. The importer must act before filing.",
    "query_shipper": "A finding of class query and none above: shipper, carrier, bank or importer can correct or "
    "explain; file when answered.",
    "clear": "No finding, or notes only: file now.",
}

TEXT_RULE = (
    "Descriptions: letter case ignored, every run of other than letters a-z and digits counts as one blank; a term is "
    "stated when it occurs as whole words. Names of firms: letter case, punctuation, a leading M/s, '&' and 'and' "
    "ignored, legal_form_words taken as equal. Document numbers: letters and digits alone, leading zeros kept. Blank "
    "is never different."
)

FLAT_VALUATION = {
    "basis": "flat",
    "formula": "assessable_value_inr = declared USD (invoice total) x usd_rate x (1 + freight_pct/100 + "
    "insurance_pct/100); duty_amount_inr = assessable_value_inr x BCD percent of the tariff item / 100. This is an "
    "exercise formula, not Indian law: it leaves out SWS, AIDC, IGST and any specific rate.",
    "usd_rate": 83.0,
    "freight_pct": 4.0,
    "insurance_pct": 1.25,
    "tolerance": "full credit within 5 percent",
}


def _task1() -> Mapping[str, Any]:
    return {
        "policy_version": POLICY_VERSION,
        "role": ROLE,
        "answer": "One Indian tariff item of eight digits, by the General Rules for the Interpretation of the Import "
        "Tariff, as it stands on the snapshot date. Dots and blanks in the code are ignored.",
    }


@lru_cache(maxsize=16)
def _fixed_part(task_id: str, basis: str) -> Mapping[str, Any]:
    policy = Policy(valuation_basis=basis)
    valuation = {} if task_id == "task2" else {"valuation": FLAT_VALUATION}
    return {
        "policy_version": POLICY_VERSION,
        "role": ROLE,
        "recommendations": RECOMMENDATION_TEXT,
        "findings": {
            rule.name: {
                "class": rule.classes["a"] if len(rule.classes) == 1 else dict(rule.classes),
                "rule": rule.rule,
                "looks_at": rule.looks_at,
                "legal_basis": rule.basis,
            }
            for rule in FLAG_RULES
            if task_id in rule.tasks
        },
        "identity_rule": {
            "count": IDENTITY_COUNT,
            "flags": list(IDENTITY_FLAGS),
            "counts_as": "hold",
            "text": "So many findings of class query among these flags count together as one finding of class hold.",
        },
        "text_rule": TEXT_RULE,
        "tolerances": {
            "weight_pct": policy.weight_tolerance_pct,
            "weight_kg": policy.weight_tolerance_kg,
            "quantity_packed_pct": policy.quantity_tolerance_pct,
            "consignee_spelling_edits": policy.consignee_spelling_edits,
        },
        "thresholds": {
            "high_value_usd": policy.high_value_usd,
            "undervaluation_fraction": policy.undervaluation_fraction,
            "azo_report_months": policy.azo_report_months,
        },
        "units": {unit: {"kind": kind, "base_units": holds} for unit, (kind, holds) in UNITS.items()},
        "lists": {
            "controlled_substances": [dict(entry) for entry in CONTROLLED_SUBSTANCES],
            "azo_exempt_origins": list(AZO_EXEMPT_ORIGINS),
            "colour_words": list(COLOUR_WORDS),
            "ordinary_outlets": [list(pair) for pair in ORDINARY_OUTLETS],
            "legal_form_words": {word: equal for word, equal in LEGAL_FORM_WORDS.items() if equal},
        },
        **valuation,
    }


def decision_policy(case: Case) -> dict[str, Any]:
    """Return the decision policy of a case as JSON. Its parts are shared: callers do not change them."""
    if case.task_id == "task1":
        return dict(_task1())
    fixed = _fixed_part(case.task_id, case.policy.valuation_basis)
    return {**fixed, "declaration_qualifiers": list(case.qualifiers)}
