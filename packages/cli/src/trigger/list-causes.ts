import { ALL_APP_EVENT_TYPES, ALL_EVENT_TYPES } from '@plat/contract';
import type { CommandContext } from '../command/context.ts';
import { listPrinter } from '../output/list.ts';
import { CAUSES } from './causes.ts';

/** Prints the cause of each event type. */
export async function listCauses(context: CommandContext): Promise<void> {
  const rows = [...ALL_EVENT_TYPES, ...ALL_APP_EVENT_TYPES].map((type) => {
    const cause = CAUSES[type];
    if ('why' in cause) return { type, options: '--raw', how: `${cause.why}.` };
    const id = cause.id ? `--id <${cause.id}_id>` : null;
    return { type, options: [id, cause.acceptsData && '--data'].filter(Boolean).join(' ') || null, how: cause.does };
  });
  const printer = listPrinter(context);
  await printer.rows(rows);
  await printer.end();
}
