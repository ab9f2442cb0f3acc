// Second half of `npm run cli-reference`, on the installed Node. It replaces the folder, so guides about commands are beside it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliReferenceFolder, cliReferencePages } from './lib/cli-reference.mjs';

const pages = await cliReferencePages();
rmSync(cliReferenceFolder, { recursive: true, force: true });
mkdirSync(cliReferenceFolder);
for (const [name, text] of pages) writeFileSync(join(cliReferenceFolder, name), text);
process.stdout.write(`${pages.size} pages in ${cliReferenceFolder}\n`);
