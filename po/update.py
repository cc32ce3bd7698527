#!/usr/bin/env python3
# Collects the texts that people read and compares them with the translations. Needs gettext.
#   po/update.py           writes rigplan.pot and adds new messages to zh.po, to be translated there
#   po/update.py --check   fails when rigplan.pot is not what the sources say, or when zh.po lacks, doubts or no longer needs one
#
# Found are: tr("..."), trf("...") and msg("..."), which marks what is shown elsewhere; what fmt::format makes, as errors, notes
# and facts are made by it, but not in files that write what programs read; help texts of options; texts in the scripts of the page; names and explanations in data/.
# Left out are texts without a word, and the formats below.
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MACHINE_READ = re.compile(r"_json\.cpp$|/completion_|/command_completion|topology_(export|drawing)|_svg\.cpp$|rows_format|sweep_row|/sweep_(database|text_output|header)|"
                          r"scdoc_options|/rig_json|/validate/(link_prior|fit\w*|calibrated_family|map_\w+|speed_cross)|/workload/weight_mix|/log\.cpp$")
CONTEXT = "\4"  # between the context of a word and the word, as in a .mo file
MARKS = ["trc:1c,2", "tr:1", "trf:1", "msg:1", "add_option:3", "add_flag:3"]
MAKERS = ["format:1", "fail:1", "warn:2", "note:1", "leaf:1", "leaf:3"]
PLACEHOLDER = re.compile(r"\{([0-9]*)(:[^{}]*)?\}")
# Formats of names, options, units and sources: the same in every language.
SAME_EVERYWHERE = re.compile(r"^[^ ]*$|^(--|rigplan )[^:;]*$|^PCIe [^ ]* ?[^ ]*$")


def has_word(text):
    plain = PLACEHOLDER.sub("{}", text)
    return re.search(r"[a-z]{2}", plain) and not ("{" in plain and SAME_EVERYWHERE.match(plain))


def sources(suffix, folder="src"):
    found = []
    for where, _, names in sorted(os.walk(os.path.join(ROOT, folder))):
        found += [os.path.relpath(os.path.join(where, n), ROOT) for n in sorted(names) if n.endswith(suffix)]
    return sorted(found)


def data_texts():
    """Texts of data/ that are shown to people: (text, file)."""
    def entries(name):
        with open(os.path.join(ROOT, "data", name), encoding="utf-8") as file:
            content = json.load(file)
        return [e for v in content.values() if isinstance(v, list) for e in v if isinstance(e, dict)]
    for warning in entries("warnings.json"):
        for key in ("title", "meaning", "check"):
            yield warning[key], "data/warnings.json"
    for folder in ("hosts", "parts", "boards"):
        for name in sorted(os.listdir(os.path.join(ROOT, "data", folder))):
            if name.endswith(".json"):
                for entry in entries(f"{folder}/{name}"):
                    text = entry.get("name", "")
                    if re.search(r"(^|[ (])[a-z]{2,}", text):
                        yield text, f"data/{folder}/{name}"
    for name in ("planning.json", "power/tariffs.json"):
        for entry in entries(name):
            if entry.get("name"):
                yield entry["name"], "data/" + name
    for circuit in entries("power/circuits.json"):
        yield "{} × " + circuit["name"], "data/power/circuits.json"
        yield circuit["name"], "data/power/circuits.json"


def page_texts():
    """Texts of the page: literals of its scripts with several words, {} for what a template fills in: (text, file)."""
    def templates(code, at):
        """The template that begins at `at`, and those within it: ([text], behind it)."""
        text, found = "", []
        while code[at] != "`":
            if code.startswith("${", at):
                text, at, depth = text + "{}", at + 2, 1
                while depth:
                    if code[at] == "`":
                        inner, at = templates(code, at + 1)
                        found += inner
                        continue
                    if code[at] == "'":
                        end = re.compile(r"'(?:[^'\\]|\\.)*'").match(code, at).end()
                        found.append(code[at + 1:end - 1])
                        at = end
                        continue
                    depth += {"{": 1, "}": -1}.get(code[at], 0)
                    at += 1
            else:
                text, at = text + code[at], at + 1
        return found + [text], at + 1
    for file in sources(".js"):
        with open(os.path.join(ROOT, file), encoding="utf-8") as source:
            code = re.sub(r"^ *//.*$", "", source.read(), flags=re.M)
        at, texts = 0, []
        while at < len(code):
            if code[at] == "`":
                inner, at = templates(code, at + 1)
                texts += inner
            elif code[at] == "'":
                end = re.compile(r"'(?:[^'\\\n]|\\.)*'").match(code, at)
                texts.append(code[at + 1:end.end() - 1].replace("\\'", "'") if end else "")
                at = end.end() if end else at + 1
            else:
                at += 1
        heads = re.findall(r"(?:head|unit): '([^']*[a-z]{2}[^']*)'", code)
        heads += [word for pair in re.findall(r"range_column\(\s*'([^']*)', '([^']*)'", code) for word in pair]
        for text in heads:
            yield text, file
        for text in texts:
            if re.search(r"[a-z]{2,}[,.:;]? [a-z{]|[a-z}] [a-z]{2,}|^[A-Z][a-z]+$", text) and not re.search(r"var\(|^[MV]\{|\{\},\{|^(point|wire) ", text):
                yield text, file


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def unquoted(text):
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), text)


def read_po(path):
    """[(flags and references, msgid, msgstr)] without the header."""
    messages, comments, context, field = [], [], "", None
    with open(path, encoding="utf-8") as file:
        for line in list(file) + ["\n"]:
            line = line.rstrip("\n")
            if line.startswith("msgctxt "):
                context = unquoted(line[9:-1]) + CONTEXT
            elif line.startswith("msgid "):
                messages.append([comments, context + unquoted(line[7:-1]), ""])
                comments, context, field = [], "", 1
            elif line.startswith("msgstr "):
                messages[-1][2] = unquoted(line[8:-1])
                field = 2
            elif line.startswith('"'):
                messages[-1][field] += unquoted(line[1:-1])
            elif line.startswith("#"):
                comments.append(line)
    return [m for m in messages if m[1]]


def extract():
    """{msgid: [files]} in the order of the sources."""
    found = {}
    with tempfile.TemporaryDirectory() as work:
        code = sources((".cpp", ".h"))
        for files, language, keywords in (([f for f in code if not MACHINE_READ.search("/" + f)], "C++", MARKS + MAKERS),
                                          ([f for f in code if MACHINE_READ.search("/" + f)], "C++", MARKS),
                                          ):
            pot = os.path.join(work, "found.pot")
            subprocess.run(["xgettext", "--language=" + language, "--from-code=UTF-8", "--keyword", "--force-po", "--no-wrap", "-o", pot]
                           + ["--keyword=" + k for k in keywords] + files, cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
            for comments, message, _ in read_po(pot):
                if has_word(message) or CONTEXT in message:
                    places = " ".join(c[2:] for c in comments if c.startswith("#:")).split()
                    found.setdefault(message, []).extend(dict.fromkeys(p.rsplit(":", 1)[0] for p in places))
    for text, file in page_texts():
        found.setdefault(text, []).append(file)
    for text, file in data_texts():
        found.setdefault(text, []).append(file)
    return {m: sorted(dict.fromkeys(f)) for m, f in found.items()}


HEADER = '''# Texts of rigplan.{title}
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
'''


def written(found, translations, language):
    """A .po of the messages, by file, without line numbers, so that it changes only where a text does."""
    title = "" if not language else " " + {"zh": "Simplified Chinese."}[language]
    text = HEADER.format(title=title, language=language)
    for message, files in sorted(found.items(), key=lambda item: (item[1][0], item[0])):
        text += "\n#: " + " ".join(files) + "\n"
        context, message_only = message.rpartition(CONTEXT)[::2]
        text += ("msgctxt " + quoted(context) + "\n" if context else "") + "msgid " + quoted(message_only)
        text += "\nmsgstr " + quoted(translations.get(message, "")) + "\n"
    return text


def placeholders(text):
    """{argument: spec}, and those directly behind a letter, which are endings of English plurals."""
    specs, endings = {}, set()
    for count, match in enumerate(PLACEHOLDER.finditer(text.replace("{{", "  ").replace("}}", "  "))):
        index = int(match[1]) if match[1] else count
        specs[index] = match[2] or ""
        if match.start() > 0 and text[match.start() - 1].isalpha():
            endings.add(index)
    return specs, endings


def faults(found, translations):
    for message in found:
        other = translations.get(message)
        if not other:
            yield f"not translated: {message!r}"
            continue
        wanted, endings = placeholders(message)
        has, _ = placeholders(other)
        if any(wanted.get(i) != spec for i, spec in has.items()) or any(i not in has for i in wanted if i not in endings):
            yield f"other placeholders: {message!r}: {other!r}"
        if message.endswith("\n") != other.endswith("\n"):
            yield f"other end of line: {message!r}"
    for message in translations:
        if message not in found:
            yield f"no longer used: {message!r}"


def main():
    found = extract()
    pot, po = os.path.join(ROOT, "po/rigplan.pot"), os.path.join(ROOT, "po/zh.po")
    entries = read_po(po) if os.path.exists(po) else []
    translations = {m: t for _, m, t in entries}
    if "--check" not in sys.argv:
        open(pot, "w", encoding="utf-8").write(written(found, {}, ""))
        open(po, "w", encoding="utf-8").write(written(found, translations, "zh"))
        print(f"{len(found)} messages, {sum(1 for m in found if not translations.get(m))} to translate in po/zh.po")
        return 0
    problems = list(faults(found, translations))
    problems += [f"fuzzy: {m!r}" for c, m, _ in entries if any(x.startswith("#,") and "fuzzy" in x for x in c)]
    with open(pot, encoding="utf-8") as file:
        if file.read() != written(found, {}, ""):
            problems.append("po/rigplan.pot differs from the sources; po/update.py writes it")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(found)} messages: {len(problems)} faults")
    return 1 if problems else 0


sys.exit(main())
