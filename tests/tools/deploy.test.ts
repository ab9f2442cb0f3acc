import { spawnSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { findProgram } from '../support/find-servers.ts';
import { repository } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const KUBERNETES = join(repository, 'deploy', 'kubernetes');
const SYSTEMD = join(repository, 'deploy', 'systemd');
const folder = tempFolder('deploy');
afterAll(() => folder.remove());

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly replicas?: number; readonly scaleTargetRef?: { readonly name: string } };
}

const manifestsOf = (file: string): readonly Manifest[] =>
  parseAllDocuments(readFileSync(join(KUBERNETES, file), 'utf8')).map((document) => document.toJS());
const files = readdirSync(KUBERNETES).filter((file) => file !== 'kustomization.yaml');

describe('deploy/kubernetes', () => {
  test('has only fields of the Kubernetes API, with values of their types', () => {
    const manifests = files.flatMap(manifestsOf);
    expect(manifests.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['Deployment', 'Job', 'PodDisruptionBudget', 'HorizontalPodAutoscaler', 'NetworkPolicy']),
    );
    // An object literal with an unknown field does not compile.
    const text = manifests.map(
      (manifest, index) =>
        `import type { ${manifest.kind} as Kind${index} } from 'kubernetes-types/${moduleOf(manifest.apiVersion)}';\n` +
        `export const manifest${index}: Kind${index} = ${JSON.stringify(manifest)};\n`,
    );
    writeFileSync(join(folder.path, 'manifests.ts'), text.join(''));
    symlinkSync(join(repository, 'node_modules'), join(folder.path, 'node_modules'));
    const compiler = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--moduleResolution', 'bundler', '--module', 'esnext'];
    const { status, stdout } = spawnSync(process.execPath, [compiler, ...flags, '--types', '', 'manifests.ts'], {
      cwd: folder.path,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });

  test('kustomization.yaml lists every file', () => {
    const { resources } = parse(readFileSync(join(KUBERNETES, 'kustomization.yaml'), 'utf8'));
    expect([...resources].sort()).toEqual([...files].sort());
  });

  test('every variable of the service is in docs/operating.md', () => {
    const documented = readFileSync(join(repository, 'docs', 'operating.md'), 'utf8');
    const names = files.flatMap((file) => readFileSync(join(KUBERNETES, file), 'utf8').match(/\bPLAT_\w+/g) ?? []);
    expect(names.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('what deploy/kubernetes says', () => {
  test('leaves the number of automatically scaled pods to the autoscaler: an upgrade would reset it', () => {
    const manifests = files.flatMap(manifestsOf);
    const scaled = manifests.flatMap(({ spec }) => spec?.scaleTargetRef?.name ?? []);
    const deployments = manifests.filter(
      ({ kind, metadata }) => kind === 'Deployment' && scaled.includes(metadata.name),
    );
    expect(deployments.map(({ spec }) => spec?.replicas)).toEqual([undefined, undefined]);
  });

  test('has database and Redis in a namespace that the network policies open', () => {
    const [secret = ''] = /create secret[\s\S]*?\n(?!#)/.exec(text('configuration.yaml')) ?? [];
    const hosts = [...secret.matchAll(/([\w.]+):(?:3306|6379)\b/g)].map(([, host]) => host);
    expect(hosts).toHaveLength(2);
    for (const host of hosts) {
      const [, namespace] = host?.split('.') ?? [];
      expect(text('network-policies.yaml')).toContain(`kubernetes.io/metadata.name: ${namespace} `);
    }
  });

  test('keeps the variables of the Service plat-api out of the pods: `config check` would name them as unknown', () => {
    for (const file of ['api.yaml', 'workers.yaml', 'migrate.yaml']) {
      expect(text(file)).toContain('\n      enableServiceLinks: false\n');
    }
  });

  test('lets Prometheus find the metrics of servers and workers', () => {
    for (const file of ['api.yaml', 'workers.yaml']) expect(text(file)).toContain("prometheus.io/scrape: 'true'");
  });

  const text = (file: string): string => readFileSync(join(KUBERNETES, file), 'utf8');
});

test('a worker of compose.yaml has the settings of the server', () => {
  const { services } = parse(readFileSync(join(repository, 'compose.yaml'), 'utf8'));
  const { PLAT_BASE_URL: _, PLAT_DISPATCH: __, PLAT_TRUSTED_PROXIES, ...settings } = services.server.environment;
  expect(PLAT_TRUSTED_PROXIES).toContain('PLAT_TRUSTED_PROXIES:-');
  expect(services.worker.environment).toMatchObject(settings);
  expect(Object.keys(settings)).toEqual(expect.arrayContaining(['REDIS_URL', 'SMTP_URL', 'MAIL_FROM']));
  expect(Object.keys(services.worker.depends_on)).toEqual(Object.keys(services.server.depends_on));
});

test('compose.yaml gives each of its builds the commit, empty when COMMIT is not set', () => {
  const { services } = parse(readFileSync(join(repository, 'compose.yaml'), 'utf8'));
  const builds = [services.server, services.migrate, services.worker].map(({ build }) => build);
  expect(builds).toEqual(Array(3).fill({ context: '.', args: { COMMIT: ['$', '{COMMIT:-}'].join('') } }));
  expect(readFileSync(join(repository, 'Dockerfile'), 'utf8')).toMatch(/^ARG COMMIT\nENV PLAT_COMMIT=\$COMMIT /m);
});

test('the Dockerfile copies the manifest of every workspace', () => {
  const text = readFileSync(join(repository, 'Dockerfile'), 'utf8');
  const manifests = globSync(['packages/*/package.json', 'examples/*/package.json', 'tests/package.json'], {
    cwd: repository,
  });
  expect(manifests.filter((path) => !text.includes(`COPY ${path} `))).toEqual([]);
});

const analyzer = findProgram('systemd-analyze');
test.skipIf(!analyzer)('systemd accepts the units in deploy/systemd', () => {
  for (const name of readdirSync(SYSTEMD)) {
    const unit = readFileSync(join(SYSTEMD, name), 'utf8').replace('/usr/bin/node', process.execPath);
    const path = join(folder.path, name.replace('@', '@1'));
    writeFileSync(path, unit);
    const { status, stderr } = spawnSync(analyzer ?? '', ['verify', '--man=no', path], { encoding: 'utf8' });
    expect([status, stderr.split('\n').filter((line) => line.includes('plat-'))]).toEqual([0, []]);
  }
});

/** `v1` → core/v1; `networking.k8s.io/v1` → networking/v1. */
function moduleOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.replace('.k8s.io', '') : `core/${apiVersion}`;
}
