import { dirname, relative } from 'node:path';
import type { Sandbox } from '../sandbox/ensure.ts';

interface Screen {
  readonly baseUrl: string;
  readonly database: string;
  readonly sandbox: Sandbox | null;
  readonly sandboxFile: string | null;
  /** True when mail is shown on a page because no SMTP server is configured. */
  readonly showsMail: boolean;
}

/** Returns the text that the server prints after its start. */
export function firstScreen({ baseUrl, database, sandbox, sandboxFile, showsMail }: Screen): string {
  const cli = cliCommand(import.meta.url);
  const lines = ['', `  The platform API is running  (${database})`, '', `    Base URL   ${baseUrl}`];
  if (!sandbox) return `${[...lines, ''].join('\n')}\n`;
  const near = sandboxFile === null ? '' : relative(process.cwd(), sandboxFile);
  // The CLI looks for .plat in this folder and those above it; for another folder it needs PLAT_DATA_DIR.
  const isFound = sandboxFile === null || /^(?:\.\.[/\\])*\.plat[/\\]sandbox\.json$/.test(near);
  lines.push(
    `    Tenant     ${sandbox.developer.tenantId}  (sandbox)`,
    `    API key    ${sandbox.apiKey}`,
    `    Docs       ${baseUrl}/docs`,
    `    Console    ${baseUrl}/console  (sign in as ${sandbox.developer.email}${showsMail ? `; mail is at ${baseUrl}/_dev/mail` : ''})`,
    '',
    `  Try, in another terminal${isFound ? '' : ` with PLAT_DATA_DIR set to ${dirname(sandboxFile)}`}:`,
    '',
    `    ${cli} me`,
    `    ${cli} clients create --name "Acme"`,
    `    ${cli} clients list`,
    '',
    `  Base URL, tenant and key are also in ${isFound ? near : sandboxFile}. Ctrl-C stops.`,
    '',
  );
  return `${lines.join('\n')}\n`;
}

/**
 * Returns the command that runs the CLI beside the program at `url`. In a clone npm finds `plat` in the workspace; elsewhere
 * `npx plat` would run an unrelated package of the registry.
 */
function cliCommand(url: string): string {
  return url.includes('/node_modules/') ? 'npx @plat/cli' : 'npx plat';
}

/** Returns the text that a worker prints after its start. */
export function workerScreen(database: string, healthUrl: string | null): string {
  const health = healthUrl === null ? [] : ['', `    Health     ${healthUrl}/readyz`];
  return `${['', `  The worker is running  (${database})`, ...health, ''].join('\n')}\n`;
}
