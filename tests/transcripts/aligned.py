#!/usr/bin/env python3
# Tables of a transcript are aligned: aligned.py <transcript>...
# Lines with as many cells as the line before them, cells standing two spaces or more apart, are a table; the cells of each of its
# columns but the first, which may be indented, begin in one column of the terminal, or end in one. East Asian wide letters take two
# columns. Trees, and cells with a rate and what goes with it, are no tables.
import re
import sys
import unicodedata


def width(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def cells(line):
    """[(first column, column behind the last)]"""
    return [(width(line[:m.start()]), width(line[:m.end()])) for m in re.finditer(r"\S+(?: \S+)*", line)]


def faults(lines):
    tables, wide = 0, 0
    table = []
    for number, line in enumerate(lines + [""], 1):
        row = [] if line.startswith(("$ ", "! ", "# ", "[exit")) or re.search("[├└│]|[]0-9] token/s", line) else cells(line)
        if table and len(row) == len(table[0][1]):
            table.append((number, row, line))
            continue
        if len(table) > 1 and len(table[0][1]) > 2:
            tables += 1
            wide += any(width(line) != len(line) for _, _, line in table)
            for column in range(1, len(table[0][1])):
                begins = {row[column][0] for _, row, _ in table}
                ends = {row[column][1] for _, row, _ in table}
                if len(begins) > 1 and len(ends) > 1:
                    yield f"line {table[0][0]}: column {column + 1} of the table is not aligned:\n" + "\n".join(t[2] for t in table)
        table = [(number, row, line)] if row else []
    yield tables, wide


code = 0
for name in sys.argv[1:]:
    found = list(faults(open(name, encoding="utf-8").read().split("\n")))
    for fault in found[:-1]:
        print(f"{name}: {fault}", file=sys.stderr)
        code = 1
    tables, wide = found[-1]
    print(f"{name}: {tables} tables, {wide} of them with wide letters")
    if "chinese" in name and wide < 15:
        print(f"{name}: so few tables with wide letters show nothing", file=sys.stderr)
        code = 1
sys.exit(code)
