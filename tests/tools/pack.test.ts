import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { repository, spawnNode } from '../support/process.ts';

describe('npm run pack', () => {
  it('writes tarballs and prints for each package the command that installs it with its dependencies', async () => {
    const pack = spawnNode('scripts/pack.mjs');
    expect(await pack.exited, pack.stderr()).toEqual({ code: 0, signal: null });
    const commands = new Map(
      [...pack.stdout().matchAll(/^# (@plat\/\S+)\nnpm install (.+)$/gm)].map(([, name = '', files = '']) => [
        name,
        [...files.matchAll(/"([^"]+)"/g)].map(([, path = '']) => path),
      ]),
    );
    expect([...commands.keys()]).toContain('@plat/webhooks');
    for (const [name, files] of commands)
      for (const file of files) expect(existsSync(file), `${name}: ${file}`).toBe(true);
    expect(commands.get('@plat/sdk')?.map((path) => path.slice(repository.length))).toEqual([
      expect.stringMatching(/packed\/plat-sdk-.*\.tgz$/),
      expect.stringMatching(/packed\/plat-contract-.*\.tgz$/),
    ]);
  });
});
