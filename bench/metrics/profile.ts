import { readdirSync, readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { join } from 'node:path';

/** Reads the profile that a process with `--cpu-prof` wrote into this folder at its end. */
export function readProfile(folder: string): Profiler.Profile {
  const [name] = readdirSync(folder);
  if (name === undefined) throw new Error(`no profile in ${folder}: the server did not end by itself`);
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

/** Returns the share of the processor time that was spent in these files and in what they called. */
export function shareIn({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, files: RegExp): number {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const inside = new Set<number>();
  // A parent precedes its children.
  for (const { id, callFrame, children = [] } of nodes) {
    if (files.test(callFrame.url)) inside.add(id);
    if (inside.has(id)) for (const child of children) inside.add(child);
  }
  let busy = 0;
  let there = 0;
  for (const [at, id] of samples.entries()) {
    if (byId.get(id)?.callFrame.functionName === '(idle)') continue;
    const micros = timeDeltas[at] ?? 0;
    busy += micros;
    if (inside.has(id)) there += micros;
  }
  return there / busy;
}
