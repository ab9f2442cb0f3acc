// Second step of the build: copies the scripts of the pages, which are served as they are, beside the compiled code.
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

for (const room of ['http', 'docs']) {
  const [from, to] = ['src', 'dist'].map((folder) =>
    fileURLToPath(new URL(`../${folder}/${room}/browser`, import.meta.url)),
  );
  cpSync(from, to, { recursive: true });
}
