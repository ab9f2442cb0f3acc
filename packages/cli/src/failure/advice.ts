import type { ErrorCode } from '@plat/contract';
import type { Connection } from '../connection/connection.ts';
import { HOW_TO_START } from '../connection/sandbox-file.ts';
import type { Advice } from '../errors/cli-error.ts';

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
  return { next: `See ${command} --help.` };
}

const again: Advice = { next: 'Try again in a moment; if it stays so, give the request id to support.' };
const help = ({ command }: Refusal): Advice => ({ next: `See ${command} --help.` });
const seeWhich = (list: string): Advice => ({ next: `See which there are: ${list}` });

function unknownCredential({ connection }: Refusal): Advice {
  if (!connection) return { next: 'Check PLAT_API_KEY and PLAT_BASE_URL.' };
  const { baseUrl, kind, credentialFrom, sandbox } = connection;
  if (kind === 'login') {
    return {
      hint: `${baseUrl} does not know the login from ${credentialFrom}: it expired, or was ended.`,
      next: 'Log in again: plat login',
    };
  }
  return {
    hint: `${baseUrl} does not know the key from ${credentialFrom}. A new key replaces the one before.`,
    next: sandbox
      ? `Start the sandbox again, which writes the key that works to .plat/sandbox.json: ${HOW_TO_START}`
      : 'Check PLAT_API_KEY and PLAT_BASE_URL; a new key is minted in the console, or with plat keys mint.',
  };
}

const ADVICE: { readonly [C in ErrorCode]?: Advice | ((refusal: Refusal) => Advice) } = {
  INVALID_REQUEST: help,
  INVALID_BODY: help,
  INVALID_CURSOR: {
    hint: '--starting-after and --ending-before take the id of an item of the same list: of the client for members, of the user for owners.',
    next: 'Take the first or last id of a page, or leave it out.',
  },
  INVALID_TOKEN: unknownCredential,
  INSUFFICIENT_SCOPE: {
    next: 'plat me shows the scopes of this key; mint one that has the missing scope: plat keys mint --scopes <scope>,…',
  },
  VENDOR_KEY_NOT_ALLOWED_ON_V1: { next: 'Use the key of a tenant.' },
  TENANT_SUSPENDED: { next: 'Ask the platform to reactivate the tenant.' },
  NOT_FOUND: { next: 'Check the path and the base URL, which ends before /v1.' },
  CLIENT_NOT_FOUND: seeWhich('plat clients list'),
  GROUP_NOT_FOUND: seeWhich('plat groups list'),
  GROUP_MEMBER_NOT_FOUND: seeWhich('plat groups members list <group_id>'),
  GROUP_OWNER_NOT_FOUND: seeWhich('plat groups owners list <group_id>'),
  USER_NOT_FOUND: seeWhich('plat users list'),
  LOCATION_NOT_FOUND: seeWhich('plat clients locations list <client_id>, plat groups locations list <group_id>'),
  ROLE_NOT_FOUND: seeWhich('plat roles list'),
  INVOICE_NOT_FOUND: seeWhich('plat billing invoices list'),
  AUDIT_EVENT_NOT_FOUND: seeWhich('plat audit events list'),
  REQUEST_NOT_FOUND: {
    hint: "The log keeps every request of a sandbox, and the failed ones of other tenants, for some days. One without a valid credential is in no tenant's log.",
    next: 'See which there are: plat requests list. On the development server: plat dev requests',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: seeWhich('plat webhooks endpoints list'),
  WEBHOOK_EVENT_NOT_FOUND: seeWhich('plat webhooks events list'),
  WEBHOOK_DELIVERY_NOT_FOUND: seeWhich('plat webhooks deliveries list'),
  WEBHOOK_REPLAY_NOT_FOUND: seeWhich('plat webhooks replays list'),
  APP_NOT_FOUND: seeWhich('plat apps list'),
  CONSENT_NOT_FOUND: seeWhich('plat consents list'),
  MODULE_NOT_FOUND: seeWhich('plat modules list'),
  DEVELOPER_TOKEN_NOT_FOUND: seeWhich('plat auth list'),
  API_KEY_NOT_FOUND: { next: 'Mint one: plat keys mint' },
  EXPIRED_TOKEN: { next: 'Begin again: plat login' },
  ACCESS_DENIED: { next: 'If that was a mistake, begin again: plat login' },
  INVALID_GRANT: help,
  SLUG_IN_USE: { next: 'Choose another --slug, or leave it out and one is made from the name.' },
  DOMAIN_IN_USE: { next: 'Choose another --domain.' },
  EMAIL_IN_USE: { next: 'See whose it is: plat users list --email <address>' },
  ALREADY_MEMBER: { next: 'There is nothing left to do: plat groups members list <group_id>' },
  ALREADY_OWNER: { next: 'There is nothing left to do: plat groups owners list <group_id>' },
  ROLE_NAME_IN_USE: { next: 'Choose another --name; plat roles list shows which there are.' },
  LAST_LOCATION_PROTECTED: { next: 'Create another location first.' },
  DEFAULT_LOCATION_PROTECTED: { next: 'Give another location the flag first, by its update with --default.' },
  LOCATION_IN_USE: { next: 'Move its users first: plat users update <user_id> --location-id <location_id>' },
  LAST_OWNER_PROTECTED: { next: 'Make another user an owner first: plat users update <user_id> --role owner' },
  USER_NOT_DELETABLE: { next: 'End the access of a user who has accepted: plat users deactivate <user_id>' },
  USER_NOT_INVITED: { next: 'See the status: plat users get <user_id>' },
  ROLE_BUILT_IN: { next: 'Create a role of your own: plat roles create' },
  WEBHOOK_URL_IN_USE: { next: 'See which endpoints there are: plat webhooks endpoints list' },
  WEBHOOK_ENDPOINT_LIMIT: { next: 'Delete one that is not needed: plat webhooks endpoints delete <endpoint_id>' },
  APP_NAME_PROTECTED: { next: 'Register another app: plat apps register' },
  IDEMPOTENCY_KEY_REUSED: { next: 'Take a new --idempotency-key; each stands for one request.' },
  IDEMPOTENCY_KEY_IN_USE: again,
  RATE_LIMITED: ({ retryAfter }) => ({
    next: retryAfter === null ? 'Wait a minute and try again.' : `Wait ${Math.ceil(retryAfter)} s and try again.`,
  }),
  MAIL_LIMIT_REACHED: ({ retryAfter }) => ({
    hint: 'Nothing was changed, and no mail was sent.',
    next: retryAfter === null ? 'Try again later.' : `Wait ${Math.ceil(retryAfter / 60)} min and try again.`,
  }),
  OAUTH_CANNOT_MANAGE_OWNERS: { next: 'Use the API key of the tenant: PLAT_API_KEY' },
  QUOTA_EXCEEDED: { next: 'Delete objects that you no longer need, or ask the platform for a higher quota.' },
  PAYLOAD_TOO_LARGE: { next: 'Send less at once.' },
  INTERNAL_ERROR: again,
  SERVICE_UNAVAILABLE: again,
};
