import { readOptions } from '../lib/options.ts';
import { measureFairness } from './fairness.ts';
import { measureLatency } from './latency.ts';
import { measureMemory } from './memory.ts';
import { measureRate } from './rate.ts';

const options = readOptions({ rounds: 3, quickRounds: 1 });
const parts = new Map(Object.entries({ rate: measureRate, latency: measureLatency, fairness: measureFairness }));
// Takes ten minutes, so it runs only on request.
const asked = new Map([...parts, ['memory', measureMemory]]);

if (options.only === undefined) for (const measure of parts.values()) await measure(options);
else {
  const measure = asked.get(options.only);
  if (!measure) throw new Error(`--only is one of ${[...asked.keys()].join(', ')}`);
  await measure(options);
}
process.exit(0);
