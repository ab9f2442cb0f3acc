import type { Command } from 'commander';
import { lazily } from '../../kernel/lazily.ts';
import { printFields, printRows } from '../commands/print.ts';
import { JSON_OPTION, type Operate } from './options.ts';

const { applyCatalogFile, showCatalog } = lazily(() => import('../commands/catalog.ts'));

export function addCatalog(program: Command, operate: Operate): void {
  const catalog = program.command('catalog').description('modules and plans, the same for every tenant');
  catalog
    .command('apply <file>')
    .description('create and update modules and plans from a JSON file: {"modules": […], "plans": […]}')
    .option(...JSON_OPTION)
    .action(async (file: string, { json = false }) => {
      printFields(await operate((operator) => applyCatalogFile(operator, file)), json);
    });
  catalog
    .command('show')
    .description('show modules and plans with their capabilities')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => printRows(await operate(showCatalog), json));
}
