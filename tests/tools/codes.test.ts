import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_EVENT_TYPES, ERROR_CODES, type ErrorCode } from '@plat/contract';
import { expect, test } from 'vitest';
import { repository } from '../support/process.ts';

/** Codes that stand for a class of errors. No operation returns them. */
const CLASSES_ONLY: readonly ErrorCode[] = ['CONFLICT'];

const folder = join(repository, 'tests/stories');
const stories = readdirSync(folder)
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n');

test('every error code has a story', () => {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];
  const missing = codes.filter((code) => !CLASSES_ONLY.includes(code) && !stories.includes(`'${code}'`));
  expect(missing).toEqual([]);
});

test('every event type has a story', () => {
  expect(ALL_EVENT_TYPES.filter((type) => !stories.includes(`'${type}'`))).toEqual([]);
});
