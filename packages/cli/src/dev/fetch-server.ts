import spawn from 'cross-spawn';
import { type CommandContext, note } from '../command/context.ts';
import { version } from '../command/version.ts';
import { CliError } from '../errors/cli-error.ts';

/** Program for a Node.js that npm starts with the package on its PATH. It prints the path of the script. */
const PRINT_SCRIPT_PATH = `const p=require('path'),f=require('fs');for(const d of process.env.PATH.split(p.delimiter)){const s=p.join(d,'..','@plat','server','bin','plat-server.js');if(f.existsSync(s)){console.log(s);break}}`;

/** Advice for a registry that does not have the server. */
export const WITHOUT_REGISTRY = 'install a tarball, as `npm run pack` in a clone prints it, or pass --server <file>';

/**
 * Makes npm download the server, in the version of this CLI, into its cache.
 * @returns the path of the script of `plat-server`
 * @throws {@link CliError} `SERVER_NOT_FOUND`
 */
export async function fetchServer(context: CommandContext): Promise<string> {
  const { io } = context;
  const wanted = `@plat/server@${version()}`;
  await note(context, `npm downloads ${wanted}`);
  // On Windows npm is a script of the shell, which would interpret the program, so a variable carries it.
  const args = ['exec', '--yes', `--package=${wanted}`, '--', 'node', '-e', 'eval(process.env.PLAT_WHERE)'];
  const npm = spawn('npm', args, { cwd: io.cwd, env: { ...io.env, PLAT_WHERE: PRINT_SCRIPT_PATH }, stdio: 'pipe' });
  let [printed, said] = ['', ''];
  npm.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  npm.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  npm.stdin?.end();
  const code = await new Promise<number | string>((resolve) => {
    npm.on('error', (error) => resolve(error.message));
    npm.on('close', (exit) => resolve(exit ?? 1));
  });
  const script = printed.trim();
  if (code === 0 && script !== '') return script;
  throw new CliError('SERVER_NOT_FOUND', `npm could not download ${wanted} (${code})`, {
    hint: said.trim().split('\n')[0] || undefined,
    next: /\bE404\b/.test(said)
      ? `The registry has no ${wanted}: ${WITHOUT_REGISTRY}`
      : 'npm install --save-dev @plat/server',
  });
}
