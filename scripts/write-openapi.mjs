// Second half of `npm run openapi`, on the installed Node.
import { writeFileSync } from 'node:fs';
import { openApiFile, openApiText } from './lib/openapi.mjs';

writeFileSync(openApiFile, await openApiText());
process.stdout.write(`${openApiFile}\n`);
