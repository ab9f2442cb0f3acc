import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { repository } from '../support/process.ts';

/** Imports a built package as a bundler for workers resolves it, and prints what its verifier throws. */
function thrownIn(condition: string, from: string, make: string): string {
  const code = `import { ${make} } from '${from}'; try { ${make}({}); } catch (error) { console.log(error.message); }`;
  const flags = [`--conditions=${condition}`, '--input-type=module', '--eval', code];
  return execFileSync(process.execPath, flags, { cwd: `${repository}/examples/webhook-receiver`, encoding: 'utf8' });
}

it.each(['workerd', 'worker', 'edge-light'])(
  'under the condition %s the main entries point to those for workers',
  (condition) => {
    expect(thrownIn(condition, '@plat/webhooks', 'createVerifier')).toContain('@plat/webhooks/web');
    expect(thrownIn(condition, '@plat/launch-token', 'createLaunchVerifier')).toContain(
      '@plat/launch-token/web-crypto',
    );
  },
);

it('on Node the main entries are those for Node', () => {
  expect(thrownIn('node', '@plat/webhooks', 'createVerifier')).toContain('secrets[0] is undefined');
});
