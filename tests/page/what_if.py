#!/usr/bin/env python3
# Random settings of the sliders of a page, and what the command line ranks under each of them.
#   what_if.py <rigplan program> <ranking.json> <settings.json> <count>     writes [{"change": ..., "rows": [...]}]
# The command line is asked for every build of the page's cards, so that those of the page are among them in their order.
import json
import random
import subprocess
import sys

program, ranking_file, out, count = sys.argv[1:]
ranking = json.load(open(ranking_file))
query, rows = ranking["query"], ranking["rows"]
KEYS = ("gpu", "host", "attachment", "bridge", "network", "machines", "cards")
place = {tuple(row[key] for key in KEYS): index for index, row in enumerate(rows)}
gpus = sorted({row["gpu"] for row in rows})
draw = random.Random(20261201)
cases = []
for _ in range(int(count)):
    change = {}
    if draw.random() < 0.6:
        change["tariff_yuan_per_kwh"] = draw.randrange(0, 301) / 100
    if draw.random() < 0.6:
        change["hours_per_day"] = draw.randrange(1, 49) / 2
    if draw.random() < 0.6:
        change["context_tokens"] = 1024 * draw.choice([1, 2, 4, 8, 16, 32, 64, 128])
    if draw.random() < 0.6:
        change["users"] = draw.randrange(1, 33)
    if draw.random() < 0.5:
        change["most_cards"] = draw.randrange(1, 5)
    if draw.random() < 0.6:
        change["gpu"], change["price_yuan"] = draw.choice(gpus), draw.randrange(200, 8000)
    command = [program, "rank", "--model", query["model"], "--quant", query["quant"], "--top", "0", "--all", "--format", "json",
               "--max-cards", str(change.get("most_cards", query["max_cards"]))]
    for gpu in gpus:
        command += ["--gpu", gpu]
    for option, key in (("--tariff", "tariff_yuan_per_kwh"), ("--hours-per-day", "hours_per_day"), ("--context", "context_tokens"),
                        ("--users", "users")):
        if key in change:
            command += [option, str(change[key])]
    if "gpu" in change:
        command += ["--set", f"gpus.{change['gpu']}.price={change['price_yuan']} yuan"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 3):
        sys.exit(f"{command}: {done.stderr}")
    expected = []
    for row in json.loads(done.stdout)["rows"]:
        index = place.get(tuple(row[key] for key in KEYS))
        if index is not None:
            merit = row["yuan_per_usable_tflop"]
            # A build that another one of the same cards beats has no place, but a value all the same.
            expected.append({"row": index, "fits": row["rank"] is not None or row["dominated"], "price_yuan": row["price_yuan"]["likely"],
                             "yuan_per_usable_tflop": merit["likely"] if merit else None,
                             "tokens_per_s": row["decode_tokens_per_s"]["likely"] if row["decode_tokens_per_s"] else None})
    cases.append({"change": change, "rows": expected})
json.dump(cases, open(out, "w"))
