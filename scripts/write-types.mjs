// Second half of `npm run types`, on the installed Node.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { eachGenerated } from './lib/generated-sources.mjs';

await eachGenerated((files) => {
  for (const { path, text } of files) {
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    writeFileSync(path, text);
    process.stdout.write(`${path}\n`);
  }
});
