import type { ErrorCode } from '@plat/contract';
import type { Advice } from './cli-error.ts';
import type { Connection } from './connection/connection.ts';

/** What is known about a refusal of the service. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly retryAfter: number | null;
  /** How the command is called: `plat clients create`. */
  readonly command: string;
  readonly connection: Connection | null;
}

/** The likely cause of a refusal and what to do about it. */
export function adviceFor(refusal: Refusal): Advice {
  const { code, command } = refusal;
  const own = ADVICE[code];
  if (own) return typeof own === 'function' ? own(refusal) : own;
  if (code.endsWith('NOT_FOUND')) return { next: `See which there are: ${listCommand(command)}` };
  return { next: `See ${command} --help.` };
}

const again: Advice = { next: 'Try again in a moment; if it stays so, give the request id to support.' };
const help = ({ command }: Refusal): Advice => ({ next: `See ${command} --help.` });

const ADVICE: { readonly [C in ErrorCode]?: Advice | ((refusal: Refusal) => Advice) } = {
  INVALID_REQUEST: help,
  INVALID_BODY: help,
  INVALID_CURSOR: {
    hint: '--starting-after and --ending-before take the id of an item of the same list.',
    next: 'Take the first or last id of a page, or leave it out.',
  },
  INVALID_TOKEN: ({ connection }) => ({
    hint: connection
      ? `${connection.baseUrl} does not know the key from ${connection.apiKeyFrom}. A new key replaces the one before.`
      : undefined,
    next: connection?.sandbox
      ? 'Start the sandbox again (npm start): it writes the key that works to .plat/sandbox.json.'
      : 'Check PLAT_API_KEY and PLAT_BASE_URL; a new key is minted in the console.',
  }),
  INSUFFICIENT_SCOPE: { next: 'plat me shows the scopes of this key; mint one that has the missing scope.' },
  VENDOR_KEY_NOT_ALLOWED_ON_V1: { next: 'Use the key of a tenant.' },
  TENANT_SUSPENDED: { next: 'Ask the platform to reactivate the tenant.' },
  NOT_FOUND: { next: 'Check the path and the base URL, which ends before /v1.' },
  SLUG_IN_USE: { next: 'Choose another --slug, or leave it out and one is made from the name.' },
  DOMAIN_IN_USE: { next: 'Choose another --domain.' },
  WEBHOOK_URL_IN_USE: { next: 'See which endpoints there are: plat webhooks endpoints list' },
  WEBHOOK_ENDPOINT_LIMIT: { next: 'Delete one that is not needed: plat webhooks endpoints delete <endpoint_id>' },
  IDEMPOTENCY_KEY_REUSED: { next: 'Take a new --idempotency-key; each stands for one request.' },
  IDEMPOTENCY_KEY_IN_USE: again,
  RATE_LIMITED: ({ retryAfter }) => ({
    next: retryAfter === null ? 'Wait a minute and try again.' : `Wait ${Math.ceil(retryAfter)} s and try again.`,
  }),
  PAYLOAD_TOO_LARGE: { next: 'Send less at once.' },
  INTERNAL_ERROR: again,
  SERVICE_UNAVAILABLE: again,
};

/** `plat clients list` beside `plat clients get`. */
function listCommand(command: string): string {
  return command === 'plat api' ? 'plat --help' : `${command.split(' ').slice(0, -1).join(' ')} list`;
}
