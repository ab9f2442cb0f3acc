import { expect, test } from 'vitest';
import { publicAddressProblem } from './public-address.ts';
import { readConfig } from './read-config.ts';

const PLAT_MASTER_KEY = Buffer.alloc(32).toString('base64');
const problemIn = (env: Record<string, string>) => publicAddressProblem(readConfig({ PLAT_MASTER_KEY, ...env }));

test.each(['0.0.0.0', '::', '0:0:0:0:0:0:0:0', '::ffff:0.0.0.0'])(
  'production on HOST=%s needs a base URL, which says what to set',
  (HOST) => {
    expect(problemIn({ NODE_ENV: 'production', HOST })).toMatch(/^PLAT_BASE_URL is required .*such as https:/);
  },
);

test.each([
  { NODE_ENV: 'production', HOST: '0.0.0.0', PLAT_BASE_URL: 'https://api.example.com' },
  { NODE_ENV: 'production' },
  { NODE_ENV: 'production', HOST: '192.0.2.7' },
  { NODE_ENV: 'production', HOST: 'api.internal' },
  { NODE_ENV: 'development', HOST: '0.0.0.0' },
])('%o may derive its address', (env) => {
  expect(problemIn(env)).toBeNull();
});
