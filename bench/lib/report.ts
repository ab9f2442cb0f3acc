import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Options } from './options.ts';

const FILE = fileURLToPath(new URL('../RESULTS.md', import.meta.url));
const HEAD = `# Results

Written by the benches themselves: \`npm run all\` in this folder, or one of them by its name. How each is measured, and
what its ratios mean, is in [README.md](README.md).
`;

/** Prints the result of a bench. Unless the run was a quick one, replaces its section of RESULTS.md. */
export function publish(bench: string, blocks: readonly string[], { quick, rounds }: Options): void {
  const text = [`## ${bench}`, `${machine()}, ${rounds} rounds.`, ...blocks].join('\n\n');
  process.stdout.write(`\n${text}\n\n`);
  if (quick) process.stdout.write('A quick run: RESULTS.md is left as it is.\n');
  else writeFileSync(FILE, withSection(existsSync(FILE) ? readFileSync(FILE, 'utf8') : HEAD, bench, text));
}

/** The machine and time of the measurement. */
function machine(): string {
  const [first] = cpus();
  const gib = Math.round(totalmem() / 2 ** 30);
  const model = first?.model.replace(/\(R\)|\(TM\)|CPU|Processor|@.*$/g, '').trim() ?? 'unknown processor';
  const date = new Date().toISOString().slice(0, 10);
  return `${cpus().length} cores (${model}), ${gib} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}, ${date}`;
}

function withSection(file: string, bench: string, text: string): string {
  const sections = file.trimEnd().split(/\n(?=## )/);
  const at = sections.findIndex((section) => section.startsWith(`## ${bench}\n`));
  if (at < 0) sections.push(text);
  else sections[at] = text;
  return `${sections.map((section) => section.trimEnd()).join('\n\n')}\n`;
}
