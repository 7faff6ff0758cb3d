"""Answers to requests that are the same for everybody: functions of argument and snapshot, never of a file's truth."""

from __future__ import annotations

from typing import Any

from customs_env.errors import InputError, TariffError, UnknownCodeError
from customs_env.tariff.codes import normalise_code
from customs_env.tariff.currency import load_exchange_table
from customs_env.tariff.loaded import LookupSchedule, lookup_schedule


def exchange_rates() -> dict[str, Any]:
    """Return the customs exchange rates in force on the snapshot date, `per` so many units of the currency."""
    return load_exchange_table().as_dict()


def duty_rate_schedule(hs_code: Any, schedule: LookupSchedule | None = None) -> dict[str, Any]:
    """Return the heading of a code of 4, 6 or 8 digits, complete: subheadings with rates, items that the table holds.

    With a loaded schedule (CUSTOMS_ENV_SCHEDULE) its lines stand beside those of the package's table.

    Raises:
        InputError: no code, a code in no accepted spelling, or a heading that the snapshot's table does not hold.
    """
    if hs_code is None:
        raise InputError(
            "missing_field",
            "hs_code",
            "the code of 4, 6 or 8 digits whose rates duty_rate_schedule is to give",
            "nothing",
        )
    try:
        digits = normalise_code(hs_code)
        if len(digits) < 4:
            raise InputError("out_of_range", "hs_code", "a code of 4, 6 or 8 digits", hs_code)
        return (schedule or lookup_schedule()).heading_table(digits)
    except UnknownCodeError:
        # Which headings the table holds is for the asker to find out: the refusal names none.
        expected = "a code of a heading that the snapshot's table holds"
        raise InputError("unusable_code", "hs_code", expected, hs_code) from None
    except TariffError as fault:
        raise InputError("unusable_code", "hs_code", "a code of 4, 6 or 8 digits", str(fault)) from None
