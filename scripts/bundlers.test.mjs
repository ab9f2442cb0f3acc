import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { unpackClients } from './lib/consumer-packages.mjs';
import { root } from './lib/paths.mjs';
import { runQuiet } from './lib/run.mjs';

/* The packed client packages, bundled by a consumer for servers, browsers and workers. Each bundle runs on its own. */

const installed = inject('runtimes');
const folder = mkdtempSync(join(tmpdir(), 'plat-bundlers-'));
let server;
let baseUrl = '';

beforeAll(async () => {
  await unpackClients(folder);
  for (const [name, code] of Object.entries(PROGRAMS)) writeFileSync(join(folder, `${name}.js`), code);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  server = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'application/json', 'x-request-id': 'req_1' });
    response.end('{"code":"CLIENT_NOT_FOUND","message":"unknown"}');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${server.address().port}`;
});
afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const CALL = `
const plat = new Platform({ apiKey: 'plat_test_x', baseUrl: process.argv[2], maxRetries: 0 });
const refused = await plat.clients.get('cli_x').catch((error) => error);
console.log(refused instanceof ApiError, refused.code);`;

/** Programs of a consumer. Each prints its results. */
const PROGRAMS = {
  server: `import { createLaunchVerifier } from '@plat/launch-token';
import { ApiError, Platform } from '@plat/sdk';
import { DeveloperApi } from '@plat/sdk/developer';
import { nodeTransport } from '@plat/sdk/node';
import { OAuth } from '@plat/sdk/oauth';
import { createVerifier } from '@plat/webhooks';
import { signTestEvent, TEST_SECRET } from '@plat/webhooks/testing';
${CALL}
const { rawBody, headers } = signTestEvent('client.created');
console.log(createVerifier({ secrets: TEST_SECRET }).verify(rawBody, headers).type);
const launches = createLaunchVerifier({ issuer: process.argv[2], audience: 'app' });
console.log((await launches.verify('x').catch((error) => error)).code, typeof OAuth, typeof nodeTransport, typeof DeveloperApi);`,
  browser: `import { LIMITS } from '@plat/contract';
import * as nodeLaunchToken from '@plat/launch-token';
import { createLaunchVerifier } from '@plat/launch-token/web-crypto';
import { ApiError, Platform } from '@plat/sdk';
import { fileStore, nodeTransport } from '@plat/sdk/node';
import * as nodeWebhooks from '@plat/webhooks';
import { createVerifier } from '@plat/webhooks/web';
${CALL}
const verifier = createVerifier({ secrets: 'whsec_x' });
console.log((await verifier.verify('{}', {}).catch((error) => error)).code);
const launches = createLaunchVerifier({ issuer: process.argv[2], audience: 'app' });
console.log((await launches.verify('x').catch((error) => error)).code, LIMITS.page.max > 0);
delete process.getBuiltinModule;
for (const make of [nodeWebhooks.createVerifier, nodeLaunchToken.createLaunchVerifier, fileStore, nodeTransport]) {
  try {
    make({});
  } catch (error) {
    console.log(error.message);
  }
}`,
  worker: `import { createLaunchVerifier } from '@plat/launch-token';
import { createVerifier } from '@plat/webhooks';
for (const make of [createVerifier, createLaunchVerifier]) {
  try {
    make({});
  } catch (error) {
    console.log(error.message);
  }
}`,
};

/** Conditions of the package exports by target, beside `import` and `default`, which every bundler has. */
const CONDITIONS = { server: ['node'], browser: ['browser'], worker: ['workerd', 'worker'] };

/** Loads a package of the tests' own install, or of the repository. */
const load = async (name, from = root) => {
  const path = createRequire(join(from, 'package.json')).resolve(name);
  return await import(path);
};

/** Bundlers as consumers configure them. Each writes `out`. */
const BUNDLERS = {
  async esbuild(entry, out, target) {
    const { build } = await load('esbuild', installed);
    const platform = target === 'server' ? 'node' : target === 'browser' ? 'browser' : 'neutral';
    const conditions = platform === 'neutral' ? CONDITIONS[target] : undefined;
    await build({
      entryPoints: [entry],
      outfile: out,
      bundle: true,
      format: 'esm',
      target: 'es2022',
      platform,
      conditions,
    });
  },
  async rollup(entry, out, target) {
    const { rollup } = await load('rollup', installed);
    const { nodeResolve } = await load('@rollup/plugin-node-resolve', installed);
    const exportConditions = CONDITIONS[target];
    const bundle = await rollup({
      input: entry,
      external: /^node:/,
      plugins: [nodeResolve({ exportConditions, browser: target === 'browser' })],
    });
    await bundle.write({ file: out, format: 'es' });
    await bundle.close();
  },
  async webpack(entry, out, target) {
    const { default: webpack } = await load('webpack', installed);
    const compiler = webpack({
      mode: 'production',
      entry,
      target: { server: 'node20', browser: ['web', 'es2022'], worker: ['webworker', 'es2022'] }[target],
      experiments: { outputModule: true },
      output: {
        path: dirname(out),
        filename: out.slice(dirname(out).length + 1),
        module: true,
        library: { type: 'module' },
      },
      optimization: { minimize: false },
    });
    const stats = await new Promise((resolve, reject) => {
      compiler.run((error, result) => (error ? reject(error) : resolve(result)));
    });
    await new Promise((resolve) => compiler.close(resolve));
    if (stats.hasErrors()) throw new Error(stats.toString('errors-only'));
  },
  async vite(entry, out, target) {
    const { build } = await load('vite');
    const isServer = target === 'server';
    await build({
      configFile: false,
      root: folder,
      logLevel: 'error',
      ...(target === 'worker' && { resolve: { conditions: CONDITIONS.worker } }),
      ...(isServer && { ssr: { noExternal: true } }),
      build: {
        target: 'es2022',
        minify: false,
        emptyOutDir: false,
        outDir: dirname(out),
        ...(isServer ? { ssr: entry } : { lib: { entry, formats: ['es'], fileName: 'unused' } }),
        rolldownOptions: { output: { entryFileNames: out.slice(dirname(out).length + 1) } },
      },
    });
  },
  async rolldown(entry, out, target) {
    const { build } = await load('rolldown');
    const platform = target === 'server' ? 'node' : target === 'browser' ? 'browser' : 'neutral';
    await build({
      input: entry,
      platform,
      ...(target === 'worker' && { resolve: { conditionNames: ['import', ...CONDITIONS.worker] } }),
      output: { file: out, format: 'esm' },
      logLevel: 'silent',
    });
  },
};

describe.runIf(installed).each(Object.entries(BUNDLERS))('%s', (name, bundle) => {
  const bundled = async (target) => {
    const out = join(folder, 'out', `${name}-${target}.mjs`);
    mkdirSync(dirname(out), { recursive: true });
    await bundle(join(folder, `${target}.js`), out, target);
    const home = join(folder, 'alone', `${name}-${target}`);
    mkdirSync(home, { recursive: true });
    // Where it runs there are no packages.
    const path = join(home, 'bundle.mjs');
    const text = readFileSync(out, 'utf8');
    writeFileSync(path, text);
    const { ok, output } = await runQuiet(process.execPath, [path, baseUrl], { cwd: home });
    expect(ok, output).toBe(true);
    return { text, lines: output.trim().split('\n') };
  };

  test('a bundle for a server calls the API, and verifies deliveries and launch tokens', async () => {
    const { lines } = await bundled('server');
    expect(lines).toEqual(['true CLIENT_NOT_FOUND', 'client.created', 'TOKEN_MALFORMED function function function']);
  });

  test('a bundle for a browser does the same without a module of Node', async () => {
    const { text, lines } = await bundled('browser');
    expect(lines).toEqual([
      'true CLIENT_NOT_FOUND',
      'SIGNATURE_MISSING',
      'TOKEN_MALFORMED true',
      // The entries for Node say in words what a browser uses.
      expect.stringContaining('@plat/webhooks/web'),
      expect.stringContaining('@plat/launch-token/web-crypto'),
      expect.stringContaining('fileStore: of @plat/sdk/node needs Node'),
      expect.stringContaining('nodeTransport: of @plat/sdk/node needs Node'),
    ]);
    expect(text).not.toMatch(/(?:from|import\(|require\()\s*['"](?:node:)?(?:https?|crypto|fs|zlib)['"]/);
  });

  test('in a bundle for a worker the main entries name the entries for it', async () => {
    const { lines } = await bundled('worker');
    expect(lines).toEqual([
      expect.stringContaining('@plat/webhooks/web'),
      expect.stringContaining('@plat/launch-token/web-crypto'),
    ]);
  });
});
