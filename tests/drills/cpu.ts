import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Returns the processor time of processes in seconds; Linux counts it in hundredths. */
export function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) / 100;
  }, 0);
}

/** Runs processes and their children on one core of this machine only (Linux). */
export function runOn(core: number, pids: readonly number[]): void {
  for (const pid of pids) execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)]);
}
