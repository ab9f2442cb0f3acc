import { relative } from 'node:path';
import { root } from './paths.mjs';

/** Number of files in the list. */
const SHOWN = 15;

/** Vitest reporter that prints the slowest test files at the end of a run. */
export default class SlowestFiles {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const rows = modules
      .map((module) => ({ seconds: module.diagnostic().duration / 1000, name: nameOf(module) }))
      .sort((a, b) => b.seconds - a.seconds);
    if (rows.length <= SHOWN) return;
    const total = rows.reduce((sum, { seconds }) => sum + seconds, 0);
    process.stdout.write(`\nSlowest of ${rows.length} test files (${Math.round(total)} s of tests in all)\n`);
    for (const { seconds, name } of rows.slice(0, SHOWN))
      process.stdout.write(`${seconds.toFixed(1).padStart(8)} s  ${name}\n`);
  }
}

const nameOf = (module) => `${module.project.name}  ${relative(root, module.moduleId)}`;
