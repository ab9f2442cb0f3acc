import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CONNECTION_ORDER, ENVIRONMENT } from '../connection/environment.ts';
import { plat } from '../testing/plat.ts';

const sources = join(import.meta.dirname, '..');

/** Variables of the system, of Node.js and of child processes, which users do not set for plat. */
const OTHERS = ['DISPLAY', 'HOME', 'NODE_DISABLE_COLORS', 'PATH', 'PLAT_WHERE', 'TERM', 'WAYLAND_DISPLAY'];

test('the topic environment has every variable that the sources read', async () => {
  const files = globSync('**/*.ts', { cwd: sources }).filter((file) => !/\.test\.ts$|^testing/.test(file));
  const read = files.flatMap((file) => {
    const text = readFileSync(join(sources, file), 'utf8');
    const names = text.matchAll(/\benv(?:\.|\[')([A-Z][A-Z_]+)|(?:xdg|windows): '([A-Z_]+)'/g);
    return [...names].map(([, access, folder]) => access ?? folder ?? '');
  });
  expect([...new Set(read)].sort()).toEqual([...Object.keys(ENVIRONMENT), ...OTHERS].sort());
  const { code, stdout } = await plat(['help', 'environment']);
  expect(code).toBe(0);
  for (const name of Object.keys(ENVIRONMENT)) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
  for (const source of CONNECTION_ORDER) expect(stdout).toContain(source.replaceAll('`', ''));
});

test('the README has the sources of the connection in their order', () => {
  const readme = readFileSync(join(sources, '..', 'README.md'), 'utf8').replaceAll(/\s+/g, ' ');
  const places = CONNECTION_ORDER.map((source, i) => readme.indexOf(` ${i + 1}. ${source}`));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});
