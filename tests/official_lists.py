"""A small official schedule for tests, and a place for it."""

from __future__ import annotations

from pathlib import Path

#: A small schedule: lines that the table lacks (asses; a national line), one that it holds with another rate.
SMALL = """code,description,unit,bcd_percent,sws_pct,igst_pct,remark
0101,Live equine animals,,,,,
01013010,Asses for breeding,u,30,10,Nil,x
01013020,Asses for work,u,30%,10,,
01013090,Other asses,u,Free,10,,
98010011,Machinery for a project,kg,7.5,,,
85176210,A line that the table holds,u,99,,,
"""


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "list.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path
