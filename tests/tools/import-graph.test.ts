import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { repository } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PACKAGES = ['contract', 'webhooks', 'launch-token', 'sdk', 'cli', 'testing', 'server'];

/* Biome's noImportCycles ignores type-only imports. They matter to readers too. */
describe('files do not import each other in a cycle, not even for a type', () => {
  it.each(PACKAGES)('%s', (name) => {
    expect(importGraph(join(repository, 'packages', name, 'src')).output).toMatch(/^files: \d+ levels, 0 cycles$/m);
  });
});

describe('rooms do not import each other in a cycle', () => {
  it.each(['packages/server/src', 'packages/server/src/events'])('%s', (folder) => {
    const { status, output } = importGraph(join(repository, folder));
    expect(output).not.toContain('cycle:');
    expect(status).toBe(0);
  });
});

describe('the script', () => {
  const folder = tempFolder('import-graph');
  afterAll(() => folder.remove());

  it('prints levels and cycles, of files and of rooms', () => {
    write('low/a.ts', 'export const a = 1;\n');
    write('low/b.ts', "import type { C } from '../high/c.ts';\nimport { a } from './a.ts';\n");
    write('high/c.ts', "export { a } from '../low/a.ts';\n");
    write('high/d.ts', "import type { E } from './e.ts';\n");
    write('high/e.ts', "import type { D } from './d.ts';\n");
    write('high/e.test.ts', "import '../low/b.ts';\n");
    const { status, output } = importGraph(folder.path);
    expect(output).toContain('rooms: 1 levels, 1 cycles\n  cycle: high ↔ low\n');
    expect(output).toContain('files: 3 levels, 1 cycles\n  cycle: high/d.ts ↔ high/e.ts\n');
    expect(status).toBe(1);
  });

  function write(name: string, text: string): void {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), text);
  }
});

function importGraph(folder: string): { readonly status: number | null; readonly output: string } {
  const script = join(repository, 'scripts/import-graph.mjs');
  const { status, stdout } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
  return { status, output: stdout };
}
