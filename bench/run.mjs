// npm run <bench>: installs and builds what is missing, then measures on the installed Node.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bootstrap, main } from '../scripts/lib/bootstrap.mjs';
import { nodeBinary } from '../scripts/lib/node.mjs';
import { runForeground, runQuiet } from '../scripts/lib/run.mjs';

const BENCHES = [
  'webhooks',
  'launch',
  'sdk',
  'api',
  'oauth',
  'deliveries',
  'housekeeping',
  'metrics',
  'testing',
  'cli',
  'console',
];
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await main(async () => {
  const [name = '', ...options] = process.argv.slice(2);
  const chosen = name === 'all' ? BENCHES : BENCHES.filter((bench) => bench === name);
  if (chosen.length === 0) throw new Error(`Say what to measure: ${BENCHES.join(', ')} or all`);
  await bootstrap();
  await ensurePeers();
  let worst = 0;
  for (const bench of chosen) {
    const flags = ['--conditions=@plat/source', '--no-warnings', '--expose-gc'];
    const code = await runForeground(nodeBinary(), [...flags, here(`${bench}/main.ts`), ...options]);
    // After a failure the other benches run; an interrupt stops them.
    if (code > 128) return code;
    worst = Math.max(worst, code);
  }
  return worst;
});

/** Installs the compared libraries unless they are installed. */
async function ensurePeers() {
  const wanted = packagesOf(here('package-lock.json'));
  const found = packagesOf(here('node_modules/.package-lock.json'));
  const missing = Object.entries(wanted).filter(
    ([path, { version, optional }]) => path !== '' && !optional && found[path]?.version !== version,
  );
  if (missing.length === 0) return;
  process.stderr.write('Installing the peers to compare with\n');
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { ok, output } = await runQuiet('npm', args, {
    cwd: here('.'),
    env: process.env,
    shell: process.platform === 'win32',
  });
  if (!ok) throw new Error(`npm ci in bench/ failed:\n${output.trim()}`);
}

function packagesOf(lockfile) {
  return existsSync(lockfile) ? JSON.parse(readFileSync(lockfile, 'utf8')).packages : {};
}
