import type { Command } from 'commander';
import { lazily } from '../../kernel/lazily.ts';
import { printFields } from '../commands/print.ts';
import { JSON_OPTION, type Operate } from './options.ts';

const { putInvoiceFile, recordPaymentFile } = lazily(() => import('../commands/billing.ts'));

export function addBilling(program: Command, operate: Operate): void {
  program
    .command('invoices')
    .description('invoices of tenants; billing systems use /operator/v1')
    .command('put <tenant_id> <file>')
    .description('create the invoice of a JSON file, or change the one with its number')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, file: string, { json = false }) => {
      printFields(await operate((operator) => putInvoiceFile(operator, tenantId, file)), json);
    });
  program
    .command('payments')
    .description('payments of invoices; billing systems use /operator/v1')
    .command('record <tenant_id> <file>')
    .description('record the payment of a JSON file once, by its reference; later only to refund it')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, file: string, { json = false }) => {
      printFields(await operate((operator) => recordPaymentFile(operator, tenantId, file)), json);
    });
}
