import { env } from 'node:process';

/* Preloaded (`--import`): shifts the clock of a process by CLOCK_APART_MS, as on a machine without NTP. */

const apartMs = Number(env['CLOCK_APART_MS'] ?? 0);
const RightDate = Date;

globalThis.Date = class extends RightDate {
  constructor(...given: [] | [string | number | Date]) {
    super(given[0] ?? RightDate.now() + apartMs);
  }
  static override now(): number {
    return RightDate.now() + apartMs;
  }
} as DateConstructor;
