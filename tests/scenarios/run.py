#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sixty scenarios of the reference set, asked of the program: what fits, which rate, which warnings.

  tests/scenarios/run.py PROGRAM [SHARE]

Prints a table of which hold and what each miss lacks; ends with 1 when fewer than SHARE (0.85) of them hold, with 77 where the
reference set is not there. A scenario holds when everything that it expects and that was asked comes out: the answer fits or
does not, the range of the decode rate and the bracket around the reported one meet, and every warning is there. questions.json
says how each is asked; "beyond" names warnings that the question cannot raise, with the reason, and they count as missing.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def ask(program, command):
    words = shlex.split(command) + ["--format", "json"]
    done = subprocess.run([program] + words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    if done.returncode not in (0, 3):
        return None, done.stderr.decode().strip()
    return (json.loads(done.stdout) if done.stdout.strip() else {}), done.stderr.decode()


def rates_of(answer):
    """The lowest low and the highest high of the decode rates of plans that fit."""
    rates = [row.get("decode_tokens_per_s") for row in answer.get("rows") or [] if row.get("fits")]
    rates = [rate for rate in rates if rate]
    return (min(r["low"] for r in rates), max(r["high"] for r in rates)) if rates else None


def judge(program, scenario, question):
    """What is missing, in words; nothing when the scenario holds."""
    expect, missing = scenario["expect"], []
    answers = []
    for command in question["ask"]:
        answer, errors = ask(program, command)
        if answer is None:
            missing.append(f"no answer: {errors[:150]}")
        else:
            answers.append((command, answer))
    text = json.dumps([answer for _, answer in answers])
    codes = set(re.findall(r"\bW_[A-Z0-9_]+", text))
    refuted = any(claim["verdict"] in ("impossible", "implausible") for _, a in answers for claim in a.get("claims", []))
    if refuted:
        codes |= {"W_CLAIM_IMPLAUSIBLE", "W_CLAIM_CHECK"}
    missing += [code for code in expect["must_warn"] if code not in codes]
    estimates = [answer for command, answer in answers if command.startswith("estimate") and "--method" not in command]
    if "fits" in question:
        fits = [a.get("fits") for c, a in answers if c.startswith("estimate")]
        if fits and (fits[0] != question["fits"]):
            missing.append(f"fits is {fits[0]}, expected {question['fits']}")
    bracket = expect.get("decode_tps_range")
    if bracket:
        ranges = [r for r in map(rates_of, estimates) if r]
        if not any(low <= bracket[1] and high >= bracket[0] for low, high in ranges):
            missing.append(f"decode rate {[tuple(round(x, 1) for x in r) for r in ranges]}, expected {bracket}")
    return missing


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    least = float(sys.argv[2]) if len(sys.argv) > 2 else 0.85
    reference = ROOT.parent / "shared" / "users" / "scenarios.json"
    if not reference.exists():
        print("skipped: the reference set is not there")
        return 77
    scenarios = json.loads(reference.read_text())["scenarios"]
    questions = json.loads((pathlib.Path(__file__).parent / "questions.json").read_text())
    unasked = [s["id"] for s in scenarios if s["id"] not in questions]
    if unasked:
        sys.exit(f"not asked: {unasked}")
    holding = 0
    for scenario in scenarios:
        missing = judge(program, scenario, questions[scenario["id"]])
        holding += not missing
        why = questions[scenario["id"]].get("beyond", "")
        print(f"{'holds' if not missing else 'MISS '}  {scenario['id']:26} {'; '.join(missing)}{' -- ' + why if missing and why else ''}")
    print(f"{holding} of {len(scenarios)} scenarios hold ({holding / len(scenarios):.0%})")
    return 0 if holding >= least * len(scenarios) else 1


if __name__ == "__main__":
    sys.exit(main())
