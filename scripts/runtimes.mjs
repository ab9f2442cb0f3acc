// npm run runtimes: writes the table of the runtimes into README.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { matrixFile, withMatrix } from './lib/runtime-matrix.mjs';

writeFileSync(matrixFile, withMatrix(readFileSync(matrixFile, 'utf8')));
process.stdout.write(`${matrixFile}\n`);
