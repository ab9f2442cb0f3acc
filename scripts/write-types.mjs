// Second half of `npm run types`, on the installed Node.
import { writeFileSync } from 'node:fs';
import { generatedFiles } from './lib/types.mjs';

for (const { path, text } of generatedFiles()) {
  writeFileSync(path, text);
  process.stdout.write(`${path}\n`);
}
