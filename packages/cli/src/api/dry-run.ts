import type { HttpMethod } from '@plat/sdk';
import { quoted } from '../command/command-line.ts';
import { type CommandContext, print } from '../command/context.ts';
import type { Connection } from '../connection/connection.ts';
import { json } from '../output/result.ts';

/** A request that is printed instead of sent. */
export interface Shown {
  readonly method: HttpMethod;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: object | undefined;
  readonly idempotencyKey: string | undefined;
}

/** Prints a request as JSON. Only the source of the credential is shown. */
export function printDryRun(context: CommandContext, { baseUrl, kind, credentialFrom }: Connection, shown: Shown) {
  const { method, body } = shown;
  const credential = kind === 'login' ? 'login' : 'key';
  return print(
    context,
    `${json({
      object: 'dry_run',
      method,
      url: urlOf(baseUrl, shown),
      headers: headersOf(shown, `Bearer (the ${credential} from ${credentialFrom})`),
      body: body ?? null,
    })}\n`,
  );
}

/** Prints a request as a curl command that reads the credential when it runs, so that the line can be shared. */
export function printCurl(context: CommandContext, { baseUrl, kind }: Connection, shown: Shown): Promise<void> {
  const { method, body } = shown;
  const headers = Object.entries(headersOf(shown, null)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const words = [
    `curl -X ${method} ${quoted(urlOf(baseUrl, shown))}`,
    `-H "Authorization: Bearer ${kind === 'login' ? '$(plat auth token)' : '$PLAT_API_KEY'}"`,
    ...headers,
    ...(body === undefined ? [] : [`--data-raw ${quoted(JSON.stringify(body))}`]),
  ];
  return print(context, `${words.join(' \\\n  ')}\n`);
}

function urlOf(baseUrl: string, { path, query }: Shown): string {
  const url = new URL(baseUrl.replace(/\/+$/, '') + path);
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  return url.href;
}

function headersOf({ body, idempotencyKey }: Shown, authorization: string | null): Readonly<Record<string, string>> {
  return {
    ...(authorization !== null && { Authorization: authorization }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  };
}
