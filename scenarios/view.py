"""A file as the predicates read it: the papers by kind, the figures that several predicates share."""

from __future__ import annotations

from customs_env.goods.wording import padded
from customs_env.scenarios import reading
from customs_env.scenarios.case import Paper, ShipmentFile


class FileView:
    """One pass over the papers of a file. Requestable answers are reached through `answers`."""

    __slots__ = (
        "answers",
        "arrival",
        "azo_report",
        "bill",
        "goods",
        "invoice",
        "lines",
        "origin",
        "packing_list",
        "permits",
        "policy",
        "price_reference",
        "safety_sheet",
        "texts",
    )

    def __init__(self, file: ShipmentFile) -> None:
        case = file.case
        # The first four papers are the same kinds in every shipment file, in this order.
        self.invoice, self.packing_list, self.bill, self.arrival = case.papers[:4]
        self.goods = file.goods
        self.policy = case.policy
        self.answers = case.answers
        further = {paper["type"]: paper for paper in case.papers[4:]}
        self.safety_sheet: Paper | None = further.get("safety_data_sheet")
        self.permits: Paper | None = further.get("import_permits")
        self.azo_report: Paper | None = further.get("azo_test_report")
        self.price_reference: Paper | None = further.get("price_reference") or case.answers.get("price_reference")
        #: Each invoice line with the packing-list line of the same item number, or None.
        self.lines: list[tuple[Paper, Paper | None]] = []
        #: For each invoice line: what invoice and packing list say of the goods, in comparable form ("" where nothing).
        self.texts: list[tuple[str, str]] = []
        packed = {line["item"]: line for line in self.packing_list["lines"]}
        for line in self.invoice["lines"]:
            packing = packed.get(line["item"])
            self.lines.append((line, packing))
            description = line["description"]
            invoiced = padded(description)
            if packing is None:
                self.texts.append((invoiced, ""))
            elif packing["description"] == description:
                self.texts.append((invoiced, invoiced))
            else:
                self.texts.append((invoiced, padded(packing["description"])))
        self.origin = self._origin()

    def _origin(self) -> str:
        """Return the country of origin that the file gives, or "" where no paper gives one."""
        found = reading.country_named(self.invoice["country_of_origin"]) or reading.country_named(
            self.packing_list["country_of_origin"]
        )
        if found:
            return found
        texts = [self.invoice["marks"], self.packing_list["marks"], self.bill["marks"]]
        for line, packing in self.lines:
            texts.append(line["description"])
            if packing:
                texts.append(packing["description"])
        for text in texts:
            found = reading.country_stated(text)
            if found:
                return found
        certificate = self.answers.get("certificate_of_origin")
        return reading.country_named(certificate["country_of_origin"]) if certificate else ""
