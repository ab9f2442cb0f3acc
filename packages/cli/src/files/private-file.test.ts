import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyFolder } from '../testing/plat.ts';
import { replaceFile } from './private-file.ts';

it('keeps the old file, and leaves no other, when it cannot be replaced', async () => {
  const folder = emptyFolder();
  mkdirSync(join(folder, 'credentials.json'));
  await expect(replaceFile(join(folder, 'credentials.json'), '{}')).rejects.toMatchObject({ code: 'EISDIR' });
  expect(readdirSync(folder)).toEqual(['credentials.json']);
});
