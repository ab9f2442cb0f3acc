import type { ErrorCode } from '@plat/contract';
import { ERROR_REFERENCE } from '@plat/contract/error-reference';
import type { Connection } from '../connection/connection.ts';
import { HOW_TO_START } from '../connection/sandbox-file.ts';
import type { Advice } from '../errors/cli-error.ts';
import { markdownAsText } from '../terminal/markdown-as-text.ts';

/** An error response of the service, with the circumstances of the command. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly retryAfter: number | null;
  /** Words of the command, for messages: `plat clients create`. */
  readonly command: string;
  readonly connection: Connection | null;
}

/** Returns the likely cause of an error response and the next step: those of the contract, or more specific ones of the command. */
export function adviceFor(refusal: Refusal): Advice {
  const { code } = refusal;
  const { cause, fix } = ERROR_REFERENCE[code];
  const general = { ...(CAUSE_HELPS.has(code) && { hint: markdownAsText(cause) }), next: markdownAsText(fix) };
  return { ...general, ...SITUATIONAL[code]?.(refusal) };
}

/** Codes whose cause says more than the message of the service. */
const CAUSE_HELPS: ReadonlySet<ErrorCode> = new Set(['INVALID_CURSOR', 'REQUEST_NOT_FOUND', 'MAIL_LIMIT_REACHED']);

const SITUATIONAL: { readonly [C in ErrorCode]?: (refusal: Refusal) => Advice } = {
  INVALID_REQUEST: seeHelp,
  INVALID_BODY: seeHelp,
  INVALID_GRANT: seeHelp,
  INVALID_TOKEN: unknownCredential,
  RATE_LIMITED: waitSeconds,
  IDEMPOTENCY_KEY_IN_USE: waitSeconds,
  SERVICE_UNAVAILABLE: waitSeconds,
  MAIL_LIMIT_REACHED: waitMinutes,
};

function seeHelp({ command }: Refusal): Advice {
  return { next: `See ${command} --help.` };
}

function waitSeconds({ retryAfter }: Refusal): Advice {
  return {
    next: retryAfter === null ? 'Wait a minute and try again.' : `Wait ${Math.ceil(retryAfter)} s and try again.`,
  };
}

function waitMinutes({ retryAfter }: Refusal): Advice {
  return { next: retryAfter === null ? 'Try again later.' : `Wait ${Math.ceil(retryAfter / 60)} min and try again.` };
}

function unknownCredential({ connection }: Refusal): Advice {
  if (!connection) return { next: 'Check PLAT_API_KEY and PLAT_BASE_URL.' };
  const { baseUrl, kind, credentialFrom, sandbox } = connection;
  if (kind === 'login') {
    return {
      hint: `${baseUrl} does not accept the login from ${credentialFrom}: it expired or was ended.`,
      next: 'Log in again: plat login',
    };
  }
  return {
    hint: `${baseUrl} does not accept the key from ${credentialFrom}. A new key replaces the previous one.`,
    next: sandbox
      ? `Start the sandbox again, which writes a valid key to .plat/sandbox.json: ${HOW_TO_START}`
      : 'Check PLAT_API_KEY and PLAT_BASE_URL; create a new key in the console, or with plat keys mint.',
  };
}
