import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { openApiDocument } from '../../surface.ts';
import { buildSite } from './build-site.ts';
import { openRepository } from './repository.ts';

/* Writes the site into a folder: node main.js --root <repository> --out <folder> [--server <url>] [--console <path>] */

const { values } = parseArgs({
  options: {
    root: { type: 'string' },
    out: { type: 'string' },
    server: { type: 'string' },
    console: { type: 'string' },
  },
});
const { root, out, server = 'http://127.0.0.1:4010' } = values;
if (root === undefined || out === undefined) throw new Error('--root and --out are required');

const console = values.console ?? (values.server === undefined ? null : `${server.replace(/\/$/, '')}/console`);
const { files, brokenLinks } = buildSite({
  repository: openRepository(root),
  document: openApiDocument(server),
  console,
});
rmSync(out, { recursive: true, force: true });
for (const [path, content] of files) {
  const file = join(out, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
for (const line of brokenLinks) process.stderr.write(`${line}\n`);
process.stdout.write(`${files.size} files of the documentation in ${out}\n`);
