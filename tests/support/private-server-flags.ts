import { join } from 'node:path';

interface Place {
  readonly folder: string;
  readonly data: string;
  readonly socket: string;
  readonly port: number;
}

/** Returns the flags that MariaDB and MySQL share: loopback only, small, and without durability for speed. */
export function privateServerFlags({ folder, data, socket, port }: Place): readonly string[] {
  return [
    `--datadir=${data}`,
    `--socket=${socket}`,
    // A server that starts deletes temporary tables from its tmpdir, also those of other servers.
    `--tmpdir=${folder}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--pid-file=${join(folder, 'pid')}`,
    '--skip-log-bin',
    '--skip-name-resolve',
    '--max-connections=500',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-doublewrite=0',
    '--innodb-flush-method=nosync',
    '--innodb-buffer-pool-size=256M',
    '--performance-schema=0',
  ];
}
