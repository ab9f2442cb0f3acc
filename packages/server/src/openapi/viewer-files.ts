import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Files of the reference page, by the last part of their path, with their media types. */
export const VIEWER_FILES: ReadonlyMap<string, string> = new Map([
  ['start.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
]);

/**
 * Reads a file of the reference page. The build copies all of them into `viewer`. When running from the sources, that
 * folder has only this project's files, and Swagger UI's are in node_modules.
 */
export function readViewerFile(name: string): Promise<Buffer> {
  const laid = fileURLToPath(new URL(`./viewer/${name}`, import.meta.url));
  return readFile(existsSync(laid) ? laid : createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
}
