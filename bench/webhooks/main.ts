import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { number, type Target, table, targets, times } from '../lib/markdown.ts';
import { NODE_BINARIES } from '../lib/node-binaries.ts';
import { readOptions } from '../lib/options.ts';
import { publish } from '../lib/report.ts';
import { type Race, race } from '../lib/rounds.ts';
import type { Sample } from '../lib/sample.ts';
import { figures, ratio, spread } from '../lib/statistics.ts';
import { contestantsFor, NAMES } from './contestants.ts';
import { makeDelivery } from './delivery.ts';

const SIZES = [1, 10, 100];

const options = readOptions({ rounds: 20, quickRounds: 5 });
/** By processor time, which other programs do not change: nothing here waits. */
const perCpuSecond = ({ cpuMicros }: Sample): number => 1e6 / cpuMicros;
const blocks: string[] = [];
const reached: Target[] = [];

for (const kib of SIZES) {
  const delivery = await makeDelivery(kib * 1024);
  const results = await race(contestantsFor(delivery, options.quick ? 40 : 80), options.rounds);
  blocks.push(`${kib} KiB (${delivery.body.length} bytes):`, tableOf(results));
  reached.push(...targetsOf(kib, results));
}

reached.push(...NODE_BINARIES.map(builtTarget));
publish('webhooks', [targets(reached), ...blocks], options);

function tableOf(results: Race<Sample>): string {
  const rows = [...results.keys()].map((name) => [
    name,
    number(spread(figures(results, name, perCpuSecond)).median),
    times(ratio(results, name, NAMES.bare, perCpuSecond)),
    times(ratio(results, name, NAMES.bareParsed, perCpuSecond)),
  ]);
  return table(['', 'a CPU second', 'of the bare HMAC', 'of the bare HMAC and JSON.parse'], rows);
}

function targetsOf(kib: number, results: Race<Sample>): Target[] {
  const target = (what: string, name: string, to: string, atLeast: number): Target => {
    const measured = ratio(results, name, to, perCpuSecond);
    return { what: `${kib} KiB: ${what}`, measured: measured.median, shown: times(measured), atLeast };
  };
  const limit = kib === 1 ? 0.85 : 0.95;
  return [
    target('verifySignature of the bare HMAC', NAMES.signature, NAMES.bare, limit),
    target('verify of the bare HMAC and JSON.parse', NAMES.event, NAMES.bareParsed, limit),
    target('verifySync with a resolver of 1,000 tenants of verify', NAMES.resolverSync, NAMES.event, 0.8),
    target('verify with a resolver of 1,000 tenants of verify', NAMES.resolver, NAMES.event, 0.5),
  ];
}

/** Measures the built package on another Node, which runs no TypeScript. */
function builtTarget(node: string): Target {
  const program = new URL('./verify-built.mjs', import.meta.url);
  const printed = execFileSync(node, [fileURLToPath(program), String(options.rounds)], { encoding: 'utf8' });
  const { version, ratios }: { version: string; ratios: readonly number[] } = JSON.parse(printed);
  const measured = spread(ratios);
  const what = `1 KiB: verifySignature as built, on Node ${version}, of the bare HMAC`;
  return { what, measured: measured.median, shown: times(measured), atLeast: 0.95 };
}
