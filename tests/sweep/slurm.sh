#!/bin/sh
# The job array of examples/slurm on a real controller and a real node, both on the loopback: its merged output has the bytes of a
# single run. Skipped (77) where Slurm is not installed or may not be started.
. "$(dirname "$0")/lib.sh"
for needed in slurmctld slurmd sbatch squeue scontrol; do
  command -v $needed >/dev/null || { echo "skipped: there is no $needed"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "skipped: the daemons are started as root"; exit 77; }

host=$(hostname -s)
base=$((20000 + $$ % 20000))
mkdir -p "$work/state" "$work/spool" "$work/bin"
ln -s "$program" "$work/bin/rigplan"
cat >"$work/slurm.conf" <<END
ClusterName=loopback
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$base
SlurmdPort=$((base + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=10 State=UP
END
export SLURM_CONF="$work/slurm.conf"
PATH=$work/bin:$PATH
export PATH

slurmctld -D >"$work/ctld.out" 2>&1 & controller=$!
slurmd -D -N "$host" >"$work/d.out" 2>&1 & node=$!
trap 'kill $node $controller 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"' EXIT
waited=0
until scontrol ping 2>/dev/null | grep -q UP && squeue -h >/dev/null 2>&1 && scontrol show node "$host" 2>/dev/null | grep -q "State=IDLE"; do
  waited=$((waited + 1))
  [ $waited -lt 150 ] || { tail -5 "$work"/*.log "$work"/*.out >&2; fail "the loopback cluster did not come up"; }
  kill -0 $controller 2>/dev/null || { tail -5 "$work"/*.log "$work"/*.out >&2; fail "slurmctld ended"; }
  sleep 0.2
done

plan=examples/sweeps/context-and-users.json
"$program" sweep $plan --quiet --out "$work/whole.jsonl"
sbatch --wait --quiet --array=1-5 --output="$work/task-%a.log" examples/slurm/sweep.sbatch "$plan" "$work/results.jsonl" ||
  { cat "$work"/task-*.log >&2; fail "the array failed"; }
[ "$(ls "$work"/results.jsonl.shard* | wc -l)" -eq 5 ] || fail "five tasks leave five shards"
"$program" merge "$work"/results.jsonl.shard* --out "$work/merged.jsonl"
same "$work/whole.jsonl" "$work/merged.jsonl" "the array of five tasks"
echo "five tasks of slurm $(slurmd -V | cut -d' ' -f2): equal bytes"
