#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Changes one operator or number at a time in the files of formulas and asks whether a test notices.

  tests/mutation/run.py [--per-file N] [--most N] [--seed S] [--only estimate/memory] [--build FOLDER]

Works on a copy of the sources with a build folder of its own, without unity, so that a mutant compiles one file. A mutant that
does not compile was stopped by the types of the quantities and counts for neither side. Prints a line for each mutant and the
share of those that compile and are killed; ends with 1 when it is below --least (0.9).
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAYERS = ["estimate", "simulate", "economics"]
# The tests that can notice, those of the own layer first. Test cases behind a name keep slow ones out.
TESTS = {
    "estimate": ["estimate", "simulate", "search"],
    "simulate": ["simulate", "search"],
    "economics": ["economics", "search"],
}
# Clang-format puts spaces around binary operators and none inside template brackets.
OPERATORS = {
    " + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ", " < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ",
    " == ": " != ", " != ": " == ", " && ": " || ", " || ": " && ", " += ": " -= ", " -= ": " += ", " *= ": " /= ",
    "std::min(": "std::max(", "std::max(": "std::min(",
}
OPERATOR = re.compile("|".join(re.escape(o) for o in sorted(OPERATORS, key=len, reverse=True)))
NUMBER = re.compile(r"(?<![\w.\"'])(\d+(?:\.\d+)?(?:e-?\d+)?)(?![\w.'])")


def code_of(line):
    """The line with strings and comments blanked out, so that columns stay."""
    line = re.sub(r'"(?:[^"\\]|\\.)*"', lambda m: "_" * len(m.group()), line)
    return re.sub(r"//.*", lambda m: " " * len(m.group()), line)


def other_number(text):
    value = float(text)
    if re.fullmatch(r"\d+", text):
        return str(int(value) + 1)
    return repr(value * 1.25 if value else 1.0)


def mutants_of(path):
    """All (line, column, old, new) of a file."""
    found = []
    for number, line in enumerate(path.read_text().splitlines()):
        code = code_of(line)
        # Room in containers, texts and template lines change nothing that is computed.
        if code.lstrip().startswith(("#", "///", "template", "namespace", "using")) or "reserve(" in code or "fmt::" in code:
            continue
        for match in OPERATOR.finditer(code):
            found.append((number, match.start(), match.group(), OPERATORS[match.group()]))
        for match in NUMBER.finditer(code):
            found.append((number, match.start(), match.group(), other_number(match.group())))
    return found


def run(command, cwd, limit):
    try:
        return subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit).returncode
    except subprocess.TimeoutExpired:
        return -1  # a mutant that never ends is noticed


class Bench:
    """A copy of the sources, built once; mutants are built and tested in it."""

    def __init__(self, build, tests):
        self.tree = build / "tree"
        self.tests = tests
        self.tree.mkdir(parents=True, exist_ok=True)
        for name in ["CMakeLists.txt", "CMakePresets.json", "README.md", "src", "include", "data", "tests", "examples", "cmake"]:
            source, copy = ROOT / name, self.tree / name
            command = ["rsync", "-a", "--delete", f"{source}/", f"{copy}/"] if source.is_dir() else ["cp", "-p", source, copy]
            if source.is_dir() and not shutil.which("rsync"):
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(source, copy, symlinks=True)
            else:
                subprocess.check_call(command)
        shared = build / "shared"
        if (ROOT / "../shared").exists() and not shared.exists():
            shared.symlink_to((ROOT / "../shared").resolve())
        subprocess.check_call(["cmake", "--preset", "release"], cwd=self.tree, stdout=subprocess.DEVNULL)
        if self.build(self.tests) != 0:
            sys.exit("the sources do not build as they are")

    def build(self, tests):
        return run(["cmake", "--build", "build/release", "--target"] + [f"test_{t}" for t in tests], self.tree, 3600)

    def passes(self, test):
        return run([f"build/release/tests/{test}/test_{test}", "--abort"], self.tree, 600) == 0

    def fate(self, path, mutant, tests):
        line, column, old, new = mutant
        target = self.tree / path.relative_to(ROOT)
        original = target.read_text()
        lines = original.splitlines(keepends=True)
        text = lines[line]
        lines[line] = text[:column] + new + text[column + len(old):]
        target.write_text("".join(lines))
        try:
            for test in tests:
                if self.build([test]) != 0:
                    return "does not compile"
                if not self.passes(test):
                    return f"killed by {test}"
            return "SURVIVED"
        finally:
            target.write_text(original)


def chosen(arguments):
    picked = []
    for layer in LAYERS:
        for path in sorted((ROOT / "src" / layer).rglob("*.cpp")):
            if arguments.only and arguments.only not in str(path):
                continue
            rule = random.Random(f"{arguments.seed} {path.relative_to(ROOT)}")
            mutants = mutants_of(path)
            rule.shuffle(mutants)
            picked += [(layer, path, mutant) for mutant in mutants[: arguments.per_file]]
    random.Random(arguments.seed).shuffle(picked)
    return picked[: arguments.most]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--per-file", type=int, default=4)
    parser.add_argument("--most", type=int, default=100000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", default="")
    parser.add_argument("--least", type=float, default=0.9)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "mutation")
    arguments = parser.parse_args()
    picked = chosen(arguments)
    bench = Bench(arguments.build.resolve(), sorted({t for layer, _, _ in picked for t in TESTS[layer]}))
    broken = [t for t in bench.tests if not bench.passes(t)]
    if broken:
        sys.exit(f"tests fail on the sources as they are: {broken}")
    counts = {"killed": 0, "SURVIVED": 0, "does": 0}
    for index, (layer, path, mutant) in enumerate(picked):
        begin = time.monotonic()
        fate = bench.fate(path, mutant, TESTS[layer])
        counts[fate.split()[0]] += 1
        place = f"{path.relative_to(ROOT)}:{mutant[0] + 1}:{mutant[1] + 1}"
        print(f"{index + 1}/{len(picked)} {place}: {mutant[2].strip()} -> {mutant[3].strip()}: {fate} "
              f"({time.monotonic() - begin:.0f} s)", flush=True)
    judged = counts["killed"] + counts["SURVIVED"]
    share = counts["killed"] / judged if judged else 1
    print(f"{counts['killed']} of {judged} mutants killed ({share:.1%}), {counts['does']} stopped by the types")
    return 0 if share >= arguments.least else 1


if __name__ == "__main__":
    os.nice(10)
    sys.exit(main())
