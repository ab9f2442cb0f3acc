import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { repository, spawnProgram } from '../support/process.ts';

/* examples/ci-pipeline, with the commands of its workflow. */

const EXAMPLE = join(repository, 'examples/ci-pipeline');
const WORKFLOW = join(EXAMPLE, '.github/workflows/test.yml');

test('the steps of the workflow pass on a machine with the installed packages', async () => {
  const { jobs } = parse(readFileSync(WORKFLOW, 'utf8'));
  const steps: readonly { readonly run?: string }[] = jobs.test.steps;
  const commands = steps.flatMap(({ run }) => run ?? []);
  expect(commands[0]).toBe('npm ci');
  for (const command of commands.slice(1)) {
    const running = spawnProgram('bash', { args: ['-eo', 'pipefail', '-c', command], cwd: EXAMPLE });
    expect((await running.exited).code, running.stdout() + running.stderr()).toBe(0);
    expect(running.stdout()).toMatch(/pass 4\b/);
  }
});
