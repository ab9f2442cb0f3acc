import { rm } from 'node:fs/promises';
import { CliError } from '../errors/cli-error.ts';
import { codeOf } from '../errors/code-of.ts';
import type { JsonObject } from '../terminal/value.ts';
import { replaceFile } from './private-file.ts';

/**
 * Writes the file that signals that a command is ready, readable by its owner only.
 * @throws {@link CliError} `UNWRITABLE_STATE`
 */
export async function writeReadyFile(path: string, ready: JsonObject): Promise<void> {
  await replaceFile(path, `${JSON.stringify({ pid: process.pid, ...ready })}\n`).catch((error: unknown) => {
    throw refusal(path, error);
  });
}

/**
 * Removes the file: at the end, and at the start, when a stale file of an earlier run would be misleading.
 * @throws {@link CliError} `UNWRITABLE_STATE`
 */
export async function removeReadyFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch((error: unknown) => {
    throw refusal(path, error);
  });
}

function refusal(path: string, error: unknown): CliError {
  return new CliError('UNWRITABLE_STATE', `The ready file ${path} cannot be written or removed (${codeOf(error)})`, {
    next: 'Make its folder writable, or name another file: --ready-file <file>.',
  });
}
