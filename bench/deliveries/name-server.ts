// Preloaded into the server: makes it use the bench's name server only.
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

const server = process.env['BENCH_NAME_SERVER'] ?? '';

dns.Resolver = class extends dns.Resolver {
  constructor(options?: ConstructorParameters<typeof dns.Resolver>[0]) {
    super(options);
    this.setServers([server]);
  }
};
syncBuiltinESMExports();
