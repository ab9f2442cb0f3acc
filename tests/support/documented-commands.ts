import { resolve } from 'node:path';
import { type NodeProcess, repository, spawnNode, spawnProgram } from './process.ts';

/** Returns the lines of the fenced blocks marked `sh run`, in their order. */
export function runCommands(markdown: string): string[] {
  return blocks(markdown, 'sh run').flatMap((block) => block.trim().split('\n'));
}

/** Returns the contents of the fenced blocks with this info string. A page shows at most its first word. */
export function blocks(markdown: string, info: string): string[] {
  return markdown.split(/^```/m).flatMap((part) => (part.startsWith(`${info}\n`) ? [part.slice(info.length + 1)] : []));
}

/** Starts a command as the reader would, but from the sources, on a free port and in a separate folder. */
export function startCommand(
  command: string,
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
): NodeProcess {
  const env = { PORT: '0', ...variables };
  if (command === 'npm start')
    return spawnNode('packages/server/src/main.ts', { env: { ...env, LOG_LEVEL: 'warn' }, cwd });
  const [program = '', file = '', ...args] = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? '',
  );
  if (program === 'node') return spawnNode(file, { args, env, cwd });
  if (program === 'npx' && file === 'plat') return spawnNode('packages/cli/src/main.ts', { args, cwd });
  if (program === 'npx' && file === 'plat-server')
    return spawnNode('packages/server/src/main.ts', { args, env: { ...env, LOG_LEVEL: 'warn' }, cwd });
  if (program === 'python3') return spawnProgram(program, { args: [resolve(repository, file), ...args], env, cwd });
  throw new Error(`no test can run this documented command: ${command}`);
}
