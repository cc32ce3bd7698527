#!/bin/sh
# A sweep on several processes, or on several machines with parallel's --sshloginfile: every process computes one shard.
#   sh examples/gnu-parallel/sweep.sh examples/sweeps/context-and-users.json results.jsonl 8
set -eu
plan=$1
out=$2
shards=${3:-8}
seq "$shards" | parallel --halt now,fail=1 rigplan sweep "$plan" --jobs 1 --resume --shard "{}/$shards" --out "$out.shard{}"
rigplan merge $(seq -f "$out.shard%.0f" "$shards") --out "$out"
seq -f "$out.shard%.0f" "$shards" | xargs rm -f
