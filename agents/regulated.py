"""Findings that lean on the policy's lists: controlled chemicals and the azo-dye review of textiles."""

from __future__ import annotations

from calendar import monthrange
from datetime import date
from typing import Any

from customs_env.agents.origins import origins, same_country
from customs_env.agents.papers import Paper, Papers
from customs_env.agents.reading import amount, folded_name, folded_number, kilograms, says, words


def _day(text: Any) -> date | None:
    try:
        return date.fromisoformat(str(text))
    except ValueError:
        return None


def _covers(permit: Paper, cas: str, papers: Papers, arrival: date | None) -> bool:
    """Tell whether a permit covers substance, importer, quantity and the day of arrival."""
    start, end = _day(permit.get("valid_from")), _day(permit.get("valid_to"))
    forms = papers.legal_forms
    importer = folded_name((papers.invoice.get("buyer") or {}).get("name"), forms)
    allowed = amount(permit.get("quantity_kg"))
    net = kilograms(papers.packing_list.get("net_weight"), papers.packing_list.get("weight_unit"))
    return (
        str(permit.get("cas") or "").strip() == cas
        and folded_name(permit.get("importer"), forms) == importer
        and allowed is not None
        and net is not None
        and net <= allowed + 1e-9
        and None not in (start, end, arrival)
        and start <= arrival <= end  # type: ignore[operator]  # None was ruled out above
    )


def controlled_chemical(papers: Papers) -> str | None:
    """A substance of the controlled list stands in the safety sheet and no permit covers it."""
    arrival = _day(papers.arrival.get("arrival_date"))
    permits = papers.permits.get("permits") or ()
    for listed in papers.list_of("controlled_substances"):
        cas, limit = str(listed.get("cas")), amount(listed.get("limit_percent")) or 0.0
        for part in papers.safety_sheet.get("composition") or ():
            share = amount(part.get("percent_max"))
            if part.get("cas") != cas or share is None or share <= limit:
                continue
            if not any(_covers(permit, cas, papers, arrival) for permit in permits):
                return "a"
    return None


def _months_before(day: date, months: int) -> date:
    """Return the same day number so many months earlier, or the month's last day where it has no such day."""
    count = day.year * 12 + day.month - 1 - months
    year, month = divmod(count, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _report_holds(papers: Papers) -> bool:
    """Tell whether the azo-dye report is accredited, negative, of this invoice and fresh on arrival."""
    report = papers.azo_report
    dated, arrival = _day(report.get("report_date")), _day(papers.arrival.get("arrival_date"))
    if dated is None or arrival is None:
        return False
    oldest = _months_before(arrival, int(papers.number("thresholds", "azo_report_months", 12)))
    own = folded_number(papers.invoice.get("invoice_number"))
    return (
        report.get("accredited") is True
        and words(report.get("result")).strip() == "not detected"
        and own != ""
        and folded_number(report.get("invoice_number")) == own
        and oldest <= dated <= arrival
    )


def textile_review(papers: Papers) -> str | None:
    """Dyed or printed textiles of an origin that is not exempt, without a valid azo-dye report."""
    if not papers.azo_report:
        return None  # printed paper is no textile: only files of textiles carry a report, valid or not
    lines = [line for paper in (papers.invoice, papers.packing_list) for line in paper.get("lines") or ()]
    texts = [words(line.get("description")) for line in lines]
    if not any(says(text, colour) for text in texts for colour in papers.list_of("colour_words")):
        return None
    exempt = papers.list_of("azo_exempt_origins")
    if any(same_country(origin, name) for origin in origins(papers) for name in exempt):
        return None
    return None if _report_holds(papers) else "a"
