import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './process.ts';
import { tempFolder } from './temp-folder.ts';

/**
 * Creates a folder as after `npm start`, with the description of a sandbox, and with the program `plat` from the sources. Returns
 * its path and the variables with which a program uses both.
 */
export function sandboxFolder(
  baseUrl: string,
  apiKey: string,
): { path: string; env: Readonly<Record<string, string>> } {
  const { path } = tempFolder('sandbox');
  mkdirSync(join(path, '.plat'));
  writeFileSync(join(path, '.plat/sandbox.json'), JSON.stringify({ base_url: baseUrl, api_key: apiKey }));
  const cli = join(repository, 'packages/cli/src/main.ts');
  const command = `exec '${process.execPath}' --conditions=@plat/source --no-warnings '${cli}' "$@"`;
  writeFileSync(join(path, 'plat'), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  const dataDir = join(path, '.plat');
  return { path, env: { HOME: path, PATH: `${path}:${process.env['PATH']}`, PLAT_DATA_DIR: dataDir } };
}
