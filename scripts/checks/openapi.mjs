import { existsSync, readFileSync } from 'node:fs';
import { openApiFile, openApiText } from '../lib/openapi.mjs';

/** Compares the committed document with the routes, so that a review shows each change of the API. */
export const openApi = {
  name: 'docs/openapi.json says what the routes do',
  run: async () => {
    const committed = existsSync(openApiFile) ? readFileSync(openApiFile, 'utf8') : '';
    const made = await openApiText();
    return { ok: committed === made, output: committed === made ? '' : differing(committed, made) };
  },
};

function differing(committed, made) {
  const before = committed.split('\n');
  const line = made.split('\n').findIndex((text, i) => text !== before[i]) + 1;
  return `docs/openapi.json differs from the routes, from line ${line} on. Run: npm run openapi\n`;
}
