// Second half of `npm run errors`, on the installed Node.
import { writeFileSync } from 'node:fs';
import { errorPages } from './lib/error-tables.mjs';

for (const { file, text } of await errorPages()) {
  writeFileSync(file, text);
  process.stdout.write(`${file}\n`);
}
