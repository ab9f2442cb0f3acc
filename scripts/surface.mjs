// npm run surface: stores what the next release offers, which later versions are compared with. `npm run version-packages` runs it.
import { writeFileSync } from 'node:fs';
import { readSurface, releasedFile } from './lib/api-surface.mjs';

writeFileSync(releasedFile, `${JSON.stringify(readSurface(), null, 1)}\n`);
