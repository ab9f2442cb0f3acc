import { readFileSync } from 'node:fs';
import { at } from './paths.mjs';

/** File with the table. */
export const matrixFile = at('README.md');

/** Probes of tests/support/probes by their names, with the heads of their columns. */
export const PROBES = {
  calls: 'calls',
  pagination: 'pages',
  retries: 'retries',
  oauth: 'OAuth refresh',
  abort: 'abort',
  webhooks: '`webhooks`',
  webhooksWeb: '`webhooks/web`',
  launchToken: '`launch-token`',
  launchTokenWeb: '`launch-token/web-crypto`',
  mock: '`testing/mock`',
};

const ALL = Object.fromEntries(Object.keys(PROBES).map((name) => [name, 'yes']));
/** The main entries of the verifiers use `node:crypto`. Their entries for workers name the others. */
const WORKER = { ...ALL, webhooks: 'web entry', launchToken: 'web entry' };
const BROWSER = { ...ALL, webhooks: 'no', launchToken: 'no' };

const NEXT = JSON.parse(readFileSync(at('examples/nextjs-saas/package.json'), 'utf8')).dependencies.next;

/** The runtimes with the results that `scripts/runtimes.test.mjs` asserts. */
export const RUNTIMES = [
  ...['20.19', '22.16', '24', '26'].flatMap((version) => [
    { name: `Node.js ${version}, import`, node: version, form: 'import', expected: ALL },
    { name: `Node.js ${version}, require`, node: version, form: 'require', expected: ALL },
  ]),
  { name: 'Bun', form: 'bun', expected: ALL },
  { name: 'Deno, `node_modules`', form: 'deno', expected: ALL },
  { name: 'Deno, `npm:`', form: 'deno npm', expected: ALL },
  { name: 'Cloudflare Workers (workerd)', form: 'workerd', expected: WORKER },
  { name: 'edge-runtime', form: 'edge', expected: WORKER },
  { name: `Next.js ${NEXT}, Node.js routes`, form: 'next', route: 'nodejs', expected: ALL },
  { name: `Next.js ${NEXT}, edge routes`, form: 'next', route: 'edge', expected: WORKER },
  { name: 'Chromium', form: 'chromium', expected: BROWSER },
];

const CELLS = { yes: '✓', no: '–', 'web entry': 'web' };
const START = '<!-- runtimes: npm run runtimes -->\n';
const END = '<!-- /runtimes -->';

/** Returns a page with the table of the results. */
export function withMatrix(page) {
  const row = (cells) => `| ${cells.join(' | ')} |\n`;
  const head = row(['', ...Object.values(PROBES)]);
  const line = row(['---', ...Object.keys(PROBES).map(() => '---')]);
  const rows = RUNTIMES.map(({ name, expected }) =>
    row([name, ...Object.keys(PROBES).map((probe) => CELLS[expected[probe]])]),
  );
  const [before, rest = ''] = page.split(START);
  const after = rest.split(END)[1];
  if (after === undefined) throw new Error(`${matrixFile} has no place for the table of runtimes`);
  return `${before}${START}${head}${line}${rows.join('')}${END}${after}`;
}
