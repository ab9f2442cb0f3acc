// npm run api-reference: writes docs/api from the types of the packages. It needs TypeDoc: cd tests/runtimes && npm ci.
import { rmSync } from 'node:fs';
import { referenceFolder, writeReference } from './lib/api-reference.mjs';
import { bootstrap, main } from './lib/bootstrap.mjs';
import { at } from './lib/paths.mjs';

await main(async () => {
  await bootstrap();
  rmSync(referenceFolder, { recursive: true, force: true });
  await writeReference(referenceFolder, at('tests', 'runtimes'));
  return 0;
});
