#!/usr/bin/env python3
# README.md and README.zh-CN.md say the same: the same headings, commands, table rows and figures; and what the Chinese one shows of
# the main example is what the program prints (tests/transcripts/chinese.txt).
import collections
import re
import sys


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def outside_blocks(text):
    return re.sub(r"```.*?```", "", text, flags=re.S)


def spans(text):
    return collections.Counter(re.sub(r"\s+", " ", span) for span in re.findall(r"`([^`]+)`", outside_blocks(text)))


def rows(text):
    return [line for line in text.split("\n") if line.startswith("| ") and not line.startswith("| ---")]


def figures(text):
    return re.findall(r"\d[\d.,]*", re.sub(r"`[^`]*`", "", text))


english, chinese = read("README.md"), read("README.zh-CN.md")
faults = []
if "](README.zh-CN.md)" not in "".join(english.split("\n")[:4]) or "](README.md)" not in "".join(chinese.split("\n")[:4]):
    faults.append("the first lines do not link to the other language")
for what, one, other in (("commands and names", spans(english), spans(chinese) - collections.Counter(["--lang zh"])),
                         ("headings", english.count("\n#"), chinese.count("\n#")),
                         ("rows of tables", len(rows(english)), len(rows(chinese))),
                         ("points", english.count("\n- "), chinese.count("\n- "))):
    if one != other:
        faults.append(f"{what} differ: {one - other} only in English, {other - one} only in Chinese")
for one, other in zip(rows(english), rows(chinese)):
    if figures(one) != figures(other) and "%" in one:
        faults.append(f"other figures:\n  {one}\n  {other}")
block = chinese.split("```\n")[2 - 1 + 1] if chinese.count("```") > 3 else ""
if not block or block not in read("tests/transcripts/chinese.txt"):
    faults.append("the main example in README.zh-CN.md is not what tests/transcripts/chinese.txt shows")
for fault in faults:
    print(fault, file=sys.stderr)
print(f"{len(rows(chinese))} rows of tables, {sum(spans(chinese).values())} names: {len(faults)} faults")
sys.exit(1 if faults else 0)
