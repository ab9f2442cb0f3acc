import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { tempFolder } from '../tests/support/temp-folder.ts';
import { referenceFolder, writeReference } from './lib/api-reference.mjs';

/*
 * docs/api is the report of what the packages export. A line that is removed or changed there breaks users, and needs a major version.
 */

const installed = inject('runtimes');

test.skipIf(installed === null)('docs/api is the reference of the exports: npm run api-reference', async () => {
  const folder = tempFolder('api-reference');
  await writeReference(folder.path, installed);
  expect(filesOf(referenceFolder)).toEqual(filesOf(folder.path));
  folder.remove();
});

function filesOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length));
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(folder + path, 'utf8')]));
}
