// Second half of `npm run types`, on the Node that the install brought.
import { writeFileSync } from 'node:fs';
import { typesFile, typesText } from './lib/types.mjs';

writeFileSync(typesFile, typesText());
process.stdout.write(`${typesFile}\n`);
