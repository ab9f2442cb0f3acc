// Second half of `npm run errors`, on the installed Node.
import { writeFileSync } from 'node:fs';
import { errorsFile, errorsText } from './lib/error-tables.mjs';

writeFileSync(errorsFile, await errorsText());
process.stdout.write(`${errorsFile}\n`);
