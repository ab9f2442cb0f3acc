import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { collect } from '../command/input.ts';
import { OTHER_COMMANDS } from '../command/other-commands.ts';
import type { TypedField } from './typed-fields.ts';

/** `plat api <METHOD> <path>`: any request, for operations without a command. */
export function apiCommand(contextOf: ContextOf): Command {
  // Both options add to one body, in the order given.
  const fields: TypedField[] = [];
  const add = (raw: boolean) => (text: string) => {
    fields.push({ text, raw });
    return fields;
  };
  const command = new Command('api')
    .summary(OTHER_COMMANDS.api)
    .description(
      'Send any request with the key, retries and errors of the other commands, and print the JSON answer.\nPaths of the developer API take the login in place of the key.',
    )
    .argument('<method>', 'GET, POST, PUT, PATCH or DELETE')
    .argument('<path>', 'for example /v1/clients or /developer/v1/apps')
    .option('-F, --field <name=value>', 'field of the body: true, false, null, a number, @file, or text', add(false))
    .option('-f, --raw-field <name=value>', 'field of the body, always text', add(true))
    .option('-d, --data <json|@file|->', 'the whole body: JSON, a file or stdin')
    .option('-q, --query <name=value>', 'query parameter; may be given again', collect)
    .option('-i, --include', 'print status and headers too')
    .option('--paginate', 'with GET: the items of all pages of a list')
    .option('--dry-run', 'send nothing: print the request, without the key')
    .option('--curl', 'send nothing: print a curl command, which reads the key from PLAT_API_KEY')
    .option('-y, --yes', 'do not ask before a DELETE')
    .option('--idempotency-key <key>', 'makes a POST safe to repeat: one key is one request (24 h)')
    .addHelpText('after', EXAMPLES);

  return command.action(async (method: string, path: string) => {
    const options: Readonly<Record<string, unknown>> = command.opts();
    const { data, query, include, paginate, dryRun, curl, yes, idempotencyKey } = options;
    const { runApi } = await import('./run-api.ts');
    await runApi(contextOf(command), {
      method,
      path,
      fields,
      data: typeof data === 'string' ? data : undefined,
      query: Array.isArray(query) ? query.map(String) : [],
      include: include === true,
      paginate: paginate === true,
      dryRun: dryRun === true,
      curl: curl === true,
      yes: yes === true,
      idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
    });
  });
}

const EXAMPLES = `
Examples:
  plat api GET /v1/clients --query limit=5
  plat api GET /v1/clients --paginate --fields id,name --output csv
  plat api POST /v1/clients --field name=Acme --curl
  plat api POST /v1/clients --field name=Acme
  plat api POST /v1/webhooks/endpoints -F url=https://example.com/hooks -F 'events[]=client.created'
  plat api PATCH /v1/clients/cli_… --data @change.json`;
