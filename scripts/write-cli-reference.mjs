// Second half of `npm run cli-reference`, on the installed Node.
import { writeFileSync } from 'node:fs';
import { cliReferenceFile, cliReferenceText } from './lib/cli-reference.mjs';

writeFileSync(cliReferenceFile, await cliReferenceText());
process.stdout.write(`${cliReferenceFile}\n`);
