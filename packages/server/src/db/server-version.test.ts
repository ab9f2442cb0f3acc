import { expect, test } from 'vitest';
import { parseServerVersion } from './server-version.ts';

test.each([
  ['8.0.36', 'mysql', true],
  ['9.7.0-debug', 'mysql', true],
  ['8.0.11-TiDB-v7.5.0', 'mysql', true],
  ['5.7.44-log', 'mysql', false],
  ['10.6.16-MariaDB', 'mariadb', true],
  ['5.5.5-10.11.6-MariaDB-1', 'mariadb', true],
  ['11.4.2-MariaDB', 'mariadb', true],
  ['10.5.23-MariaDB', 'mariadb', false],
  ['5.5.5-10.3.39-MariaDB', 'mariadb', false],
])('%s is %s, supported: %s', (version, kind, isSupported) => {
  expect(parseServerVersion(version)).toEqual({ kind, isSupported });
});
