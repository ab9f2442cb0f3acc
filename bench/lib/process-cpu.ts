import { readFileSync } from 'node:fs';

/** Returns the processor time that another process has used, user and system, in microseconds; NaN without /proc. */
export function cpuMicrosOf(pid: number): number {
  try {
    // The name, in parentheses, may contain anything; fields are counted after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS;
  } catch {
    return Number.NaN;
  }
}

/** Linux reports these times in hundredths of a second, independent of its tick rate. */
const TICK_MICROS = 10_000;
