import { splitList } from './lists.ts';
import type { Mode } from './mode.ts';

/** Reads the keys that seal secrets. The first one seals, all of them open. */
export function readMasterKeys(text: string, mode: Mode, problems: string[]): Buffer[] {
  const parts = splitList(text);
  const keys = parts.map((part) => Buffer.from(part, 'base64'));
  // Node ignores characters that are not base64, so a quoted value would decode to another key.
  if (keys.some((key, index) => key.length !== 32 || key.toString('base64') !== parts[index])) {
    problems.push(
      'PLAT_MASTER_KEY must hold 32 bytes in base64 (several separated by commas, the first seals): openssl rand -base64 32',
    );
  }
  if (keys.length === 0 && mode === 'production') {
    problems.push('PLAT_MASTER_KEY is required in production; generate one with: openssl rand -base64 32');
  }
  return keys;
}
