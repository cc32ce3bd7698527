#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Changes one operator or number at a time in the files of formulas and asks whether a test notices.

  tests/mutation/run.py [--per-file N] [--seed S] [--only estimate/memory] [--build FOLDER] [--jobs N] [--minutes M]
                        [--print]

Builds the library and the tests once, as they are. A mutant is then one changed source, compiled aside and linked in front of the
library, so that only one file is compiled and one test linked; the tests of its own layer are asked first, of these the quick
ones (those without the tag [slow]), and the first failure ends it. A mutant that does not compile was stopped by the types of the quantities and counts for neither side; one that no test
can notice is named with its reason in equivalent.txt. Prints a line for each mutant and the share of those that compile and are
killed; ends with 1 when it is below --least (0.9) or when --minutes were over before all were asked.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The tests that can notice, the likeliest and quickest first. Those of search could, too, and take minutes.
TESTS = {
    "estimate": ["estimate", "simulate"],
    "simulate": ["simulate"],
    "economics": ["economics"],
}
# No compiler cache, which a mutant would only fill; and the same draws of the property tests each time.
ENVIRONMENT = {**os.environ, "CCACHE_DISABLE": "1", "RC_PARAMS": "seed=1"}
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


class Mutant:
    def __init__(self, path, number, line, column, old, new):
        self.path, self.number, self.line, self.column, self.old, self.new = path, number, line, column, old, new
        self.layer = path.relative_to(ROOT / "src").parts[0]

    def key(self):
        """What equivalent.txt names it by: file, line without indentation, change; lines move, so they are not counted."""
        return f"{self.path.relative_to(ROOT)} | {self.line.strip()} | {self.old.strip()} -> {self.new.strip()}"

    def text(self):
        lines = self.path.read_text().splitlines(keepends=True)
        line = lines[self.number]
        lines[self.number] = line[:self.column] + self.new + line[self.column + len(self.old):]
        return "".join(lines)

    def __str__(self):
        place = f"{self.path.relative_to(ROOT)}:{self.number + 1}:{self.column + 1}"
        return f"{place}: {self.old.strip()} -> {self.new.strip()}"


def mutants_of(path):
    found = []
    for number, line in enumerate(path.read_text().splitlines()):
        code = code_of(line)
        # Room in containers, texts and template lines change nothing that is computed.
        if code.lstrip().startswith(("#", "///", "template", "namespace", "using")) or "reserve(" in code or "fmt::" in code:
            continue
        for match in OPERATOR.finditer(code):
            found.append(Mutant(path, number, line, match.start(), match.group(), OPERATORS[match.group()]))
        for match in NUMBER.finditer(code):
            found.append(Mutant(path, number, line, match.start(), match.group(), other_number(match.group())))
    return found


def equivalents():
    known = set()
    for line in (pathlib.Path(__file__).parent / "equivalent.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            known.add(line.split(" # ")[0].strip())
    return known


def chosen(arguments, known):
    """So many mutants of each file; those known to be equivalent are left out."""
    picked = []
    for layer in TESTS:
        for path in sorted((ROOT / "src" / layer).rglob("*.cpp")):
            if arguments.only and arguments.only not in str(path):
                continue
            mutants = mutants_of(path)
            random.Random(f"{arguments.seed} {path.relative_to(ROOT)}").shuffle(mutants)
            picked += [mutant for mutant in mutants if mutant.key() not in known][:arguments.per_file]
    random.Random(arguments.seed).shuffle(picked)
    return picked


class Bench:
    """The sources built as they are, and how one of them is compiled and a test linked."""

    def __init__(self, build, tests):
        self.build = build
        if not (build / "build.ninja").exists():
            subprocess.check_call(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-D", "CMAKE_BUILD_TYPE=None", "-D",
                                   "CMAKE_CXX_FLAGS=-O1 -g0"], stdout=subprocess.DEVNULL)
        subprocess.check_call(["ninja", "-C", build] + [f"test_{test}" for test in tests], stdout=sys.stderr)
        commands = subprocess.check_output(["ninja", "-C", build, "-t", "commands"] + [f"test_{test}" for test in tests]).decode()
        self.compile, self.link = {}, {}
        for command in commands.splitlines():
            source = re.search(r" -c (\S+\.cpp)$", command)
            if source:
                self.compile[str(pathlib.Path(source.group(1)).resolve())] = command
            test = re.search(r" -o tests/(\w+)/test_\w+ ", command)
            if test:
                self.link[test.group(1)] = command
        self.limits = {}
        for test in tests:
            begin = time.monotonic()
            if self.ask(self.build / f"tests/{test}/test_{test}", 1200) != "passes":
                sys.exit(f"test_{test} fails on the sources as they are")
            self.limits[test] = 10 + 5 * (time.monotonic() - begin)

    def run(self, command, cwd, limit):
        try:
            return subprocess.run(command, cwd=cwd, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  timeout=limit).returncode
        except subprocess.TimeoutExpired:
            return None

    def ask(self, program, limit):
        for tests in ("~[slow]", "[slow]"):
            code = self.run([program, "--abort", tests], ROOT, limit)
            if code != 0:
                return "never ends" if code is None else "fails"
        return "passes"

    def compiled(self, mutant, folder):
        source, made = folder / mutant.path.name, folder / "mutant.o"
        source.write_text(mutant.text())
        command = self.compile[str(mutant.path)]
        command = re.sub(r" -o \S+ -c \S+$", f" -o {made} -c {source}", command)
        command = re.sub(r" -g\d?(?= )", "", command)
        command = re.sub(r" -MD -MT \S+ -MF \S+", "", command)
        return made if self.run(["sh", "-c", command], self.build, 300) == 0 else None

    def linked(self, test, made, folder):
        program = folder / f"test_{test}"
        words = [word for word in shlex.split(self.link[test]) if word not in (":", "&&")]
        at = words.index("-o")
        words[at + 1] = str(program)
        words = words[:at] + ["-fuse-ld=lld"] * self.has_lld() + ["-Wl,--strip-debug", str(made)] + words[at:]
        return program if self.run(words, self.build, 300) == 0 else None

    def has_lld(self):
        return any(os.access(os.path.join(folder, "ld.lld"), os.X_OK) for folder in os.get_exec_path())

    def fate(self, mutant):
        with tempfile.TemporaryDirectory(dir=self.build) as name:
            folder = pathlib.Path(name)
            made = self.compiled(mutant, folder)
            if not made:
                return "does not compile"
            for test in TESTS[mutant.layer]:
                program = self.linked(test, made, folder)
                if not program:
                    return "does not link"
                if self.ask(program, self.limits[test]) != "passes":
                    return f"killed by {test}"
                program.unlink()
            return "SURVIVED"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--per-file", type=int, default=2)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", default="")
    parser.add_argument("--least", type=float, default=0.9)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=0, help="ask no more mutants after so long; 0: all")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "mutation")
    parser.add_argument("--print", action="store_true", help="name every mutant as equivalent.txt does, and stop")
    arguments = parser.parse_args()
    known = equivalents()
    picked = chosen(arguments, known)
    if arguments.print:
        print("\n".join(mutant.key() for mutant in picked))
        return 0
    bench = Bench(arguments.build.resolve(), sorted({test for mutant in picked for test in TESTS[mutant.layer]}))
    layers = {layer: {"killed": 0, "SURVIVED": 0, "does": 0, "not": 0} for layer in TESTS}
    end = time.monotonic() + 60 * arguments.minutes if arguments.minutes else float("inf")

    def judge(mutant):
        begin = time.monotonic()
        return mutant, bench.fate(mutant) if begin < end else "not asked", time.monotonic() - begin

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for index, (mutant, fate, took) in enumerate(pool.map(judge, picked)):
            layers[mutant.layer][fate.split()[0]] += 1
            print(f"{index + 1}/{len(picked)} {mutant}: {fate} ({took:.0f} s)", flush=True)
    counts = {fate: sum(layer[fate] for layer in layers.values()) for fate in layers["estimate"]}
    judged = counts["killed"] + counts["SURVIVED"]
    share = counts["killed"] / judged if judged else 1
    for layer, of in layers.items():
        print(f"{layer}: {of['killed']} of {of['killed'] + of['SURVIVED']} killed")
    print(f"{counts['killed']} of {judged} mutants killed ({share:.1%}), {counts['does']} stopped by the types, "
          f"{counts['not']} not asked, {len(known)} known as equivalent left out")
    return 0 if share >= arguments.least and counts["not"] == 0 else 1


if __name__ == "__main__":
    os.nice(10)
    sys.exit(main())
