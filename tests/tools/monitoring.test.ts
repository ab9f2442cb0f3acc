import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findProgram, isRequired } from '../support/find-servers.ts';
import { repository } from '../support/process.ts';

const ALERTS = 'deploy/prometheus-alerts.yaml';
const DASHBOARD = 'deploy/grafana-dashboard.json';
const promtool = findProgram('promtool');
if (!promtool) {
  process.stderr.write('\n*** NOT TESTED with promtool. Debian: apt-get install prometheus. ***\n\n');
}

/** Metric → its labels, from the document that is written from the table of metrics. */
const METRICS: ReadonlyMap<string, readonly string[]> = new Map(
  [...read('docs/metrics.md').matchAll(/^\| `(plat_\w+)` \| (\w+) \| (.*?) \|/gm)].map(
    ([, name = '', type, labels = '']) => [
      name,
      [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label).concat(type === 'histogram' ? ['le'] : []),
    ],
  ),
);
/** Labels that Prometheus adds. */
const OF_PROMETHEUS = ['job', 'instance'];

describe.each([ALERTS, DASHBOARD])('%s', (file) => {
  const text = read(file).replaceAll('\\"', '"');
  const used = [...text.matchAll(/\b(plat_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', selector = '']) => ({
    name,
    labels: [...selector.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label),
  }));

  test('uses metrics and labels that exist', () => {
    expect(used.length).toBeGreaterThan(10);
    for (const { name, labels } of used) {
      const known = METRICS.get(name) ?? METRICS.get(name.replace(/_(bucket|count|sum)$/, ''));
      expect(known, name).toBeDefined();
      expect([...OF_PROMETHEUS, ...(known ?? [])]).toEqual(expect.arrayContaining(labels));
    }
  });
});

test.skipIf(!promtool && !isRequired('promtool'))('promtool accepts the alerts, and they fire when they should', () => {
  for (const args of [
    ['check', 'rules', ALERTS],
    ['test', 'rules', 'deploy/prometheus-alerts.test.yaml'],
  ]) {
    const { status, stdout, stderr } = spawnSync(promtool ?? 'promtool', args, { cwd: repository, encoding: 'utf8' });
    expect(status, `promtool ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
  }
});

function read(path: string): string {
  return readFileSync(join(repository, path), 'utf8');
}
