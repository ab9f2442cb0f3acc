import { readFileSync } from 'node:fs';

/** Processor time that another process has used so far, user and system, in microseconds; NaN where /proc is not. */
export function cpuMicrosOf(pid: number): number {
  try {
    // The name, in parentheses, may hold anything; fields are counted from behind it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS;
  } catch {
    return Number.NaN;
  }
}

/** Linux tells these times in hundredths of a second, whatever its own clock runs at. */
const TICK_MICROS = 10_000;
