import type { Command } from 'commander';
import { lazily } from '../../kernel/lazily.ts';
import { printFields, printRows } from '../commands/print.ts';
import { JSON_OPTION, type Operate } from './options.ts';

const { findDomain, releaseDomain } = lazily(() => import('../commands/domains.ts'));

export function addDomains(program: Command, operate: Operate): void {
  const domains = program
    .command('domains')
    .description('domains of clients; the platform does not verify their ownership');
  domains
    .command('find <domain>')
    .description('list the clients that have a domain')
    .option(...JSON_OPTION)
    .action(async (domain: string, { json = false }) => {
      printRows(await operate((operator) => findDomain(operator, domain)), json);
    });
  domains
    .command('release <domain>')
    .description("unset a production client's domain, so that another client can have it (event client.updated)")
    .option('--tenant <tenant_id>', 'release the domain in this tenant, for example a sandbox')
    .option(...JSON_OPTION)
    .action(async (domain: string, { json = false, tenant }) => {
      printFields(await operate((operator) => releaseDomain(operator, domain, tenant)), json);
    });
}
