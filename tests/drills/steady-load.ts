import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from '../support/api.ts';
import type { DrillResult } from './drill.ts';

/** Requests a second, at a constant rate. */
const RATE = 50;
const BEFORE_MS = 3_000;
const AFTER_MS = 15_000;

interface Sent {
  /** Time from the fault to the request, in ms; negative before it. */
  readonly at: number;
  /** Duration in ms. */
  readonly ms: number;
  /** 0 without a response. */
  readonly status: number;
  /** Id of the created client. */
  readonly id: string | null;
}

export interface Fault {
  readonly title: string;
  readonly api: Api;
  /** Time after which every request must succeed again, in ms. */
  readonly targetMs: number;
  inject(): Promise<void>;
}

/** Creates clients at a constant rate, injects a fault, and reports the responses and the time to recovery. */
export async function measureFault({ title, api, targetMs, inject }: Fault): Promise<DrillResult> {
  const sent: Promise<Sent>[] = [];
  const start = performance.now();
  let faultAt = Number.POSITIVE_INFINITY;
  let injected: Promise<void> | undefined;
  for (let due = start; performance.now() < Math.min(faultAt, start + BEFORE_MS) + AFTER_MS; due += 1000 / RATE) {
    await pause(Math.max(0, due - performance.now()));
    if (!injected && performance.now() > start + BEFORE_MS) {
      faultAt = performance.now();
      injected = inject();
    }
    sent.push(send(api));
  }
  await injected;
  const all = (await Promise.all(sent)).map((one) => ({ ...one, at: one.at - faultAt }));
  const failed = all.filter(({ status }) => status !== 201);
  const recoveredMs = Math.max(0, ...failed.map(({ at, ms }) => at + ms));
  const wrong = failed.filter(({ status }) => status !== 503).length;
  const lost = await countLost(api, all);
  const statuses = Object.entries(Object.groupBy(all, ({ status }) => status));
  const rows = [
    `${title}: ${RATE} requests/s`,
    ...statuses.map(([status, of = []]) => `responses ${status}             ${of.length}`),
    `not 201 or 503            ${wrong}  (target 0)`,
    `acknowledged, but missing ${lost}  (target 0)`,
    `last failure after ms     ${recoveredMs.toFixed(0)}  (target ${targetMs})`,
    `slowest response ms       ${Math.max(...all.map(({ ms }) => ms)).toFixed(0)}`,
  ];
  return { sound: wrong === 0 && lost === 0 && recoveredMs <= targetMs, report: rows.join('\n') };
}

async function send(api: Api): Promise<Sent> {
  const at = performance.now();
  const { status, body } = await api('/v1/clients', { body: { name: 'Steady' } }).catch(() => ({
    status: 0,
    body: null,
  }));
  return { at, ms: performance.now() - at, status, id: status === 201 ? body.id : null };
}

async function countLost(api: Api, sent: readonly Sent[]): Promise<number> {
  let lost = 0;
  for (const { id } of sent) if (id !== null && (await api(`/v1/clients/${id}`)).status !== 200) lost++;
  return lost;
}
