import { load } from '../workerd.ts';

/** Modules of the packages by the names in `probes.mjs`. */
const MODULES = {
  sdk: '@plat/sdk',
  oauth: '@plat/sdk/oauth',
  webhooks: '@plat/webhooks',
  webhooksWeb: '@plat/webhooks/web',
  launchToken: '@plat/launch-token',
  launchTokenWeb: '@plat/launch-token/web-crypto',
  mock: '@plat/testing/mock',
};

/** Statements that define `modules`. `without` names modules that the runtime cannot load. */
export function imports(prefix = '', without: readonly string[] = []): string {
  const names = Object.entries(MODULES).filter(([name]) => !without.includes(name));
  const lines = names.map(([name, from]) => `import * as ${name} from '${prefix}${from}';`);
  const missing = without.map((name) => `${name}: null`);
  return `${lines.join('\n')}\nconst modules = { ${[...names.map(([name]) => name), ...missing].join(', ')} };\n`;
}

/** Statements that define `modules` by `require`. */
export function requires(): string {
  const fields = Object.entries(MODULES).map(([name, from]) => `${name}: require('${from}')`);
  return `const modules = { ${fields.join(', ')} };\n`;
}

/** Returns a script in one file for a runtime without modules on a disk, resolved by these conditions. */
export async function bundle(folder: string, code: string, conditions: readonly string[]): Promise<string> {
  const { outputFiles } = await load('esbuild').build({
    stdin: { contents: code, resolveDir: folder },
    bundle: true,
    format: 'iife',
    write: false,
    conditions,
    platform: 'browser',
  });
  return outputFiles[0]?.text ?? '';
}
