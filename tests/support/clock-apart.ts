import { env } from 'node:process';

/*
 * Loaded before everything else (`--import`) it makes the clock of a process wrong by CLOCK_APART_MS, as that of a machine
 * that nobody synchronises.
 */

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
