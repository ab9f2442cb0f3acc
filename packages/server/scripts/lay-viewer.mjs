// Second step of the build: lays the files of the reference page beside the compiled code, so that the published package
// needs no swagger-ui-dist. Ours come from the sources, Swagger UI's (Apache-2.0, with its notices) from npm.
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const target = folder('../dist/openapi/viewer');
const swaggerUi = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

// The script of the console's pages, which is served as it is.
cpSync(folder('../src/http/browser'), folder('../dist/http/browser'), { recursive: true });

mkdirSync(target, { recursive: true });
cpSync(folder('../src/openapi/viewer'), target, { recursive: true });
for (const file of [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'LICENSE',
  'NOTICE',
]) {
  copyFileSync(join(swaggerUi, file), join(target, file));
}
