import { LIMITS } from '@plat/contract';
import type { Environment } from './environment.ts';
import { readNumbers } from './lists.ts';
import type { Mode } from './mode.ts';

/** At most `max` mails in a window of `seconds` that begins with its first mail. */
export interface MailLimit {
  readonly max: number;
  readonly seconds: number;
}

/** Limits of one kind of sender; each kind has its own counters. */
export interface SenderLimits {
  readonly recipient: MailLimit;
  readonly network: MailLimit;
  /** Absent for sign-in links, which belong to no tenant. */
  readonly tenant?: MailLimit;
}

export interface MailLimits {
  readonly production: SenderLimits;
  readonly sandbox: SenderLimits;
  /** Mails that belong to no tenant: sign-in links. */
  readonly signIn: SenderLimits;
}

/**
 * Reads the mail limits. Development without an SMTP server sends no mail, so only limits that are set apply: a test suite can
 * invite the same address, and sign it in, repeatedly.
 */
export function readMailLimits(value: Environment, mode: Mode, problems: string[]): MailLimits {
  const { production, sandbox, signIn } = LIMITS.mail;
  const isSent = mode === 'production' || value.SMTP_URL !== undefined;
  const read = <L extends Record<string, MailLimit>>(name: MailLimitSetting, defaults: L): L => {
    const given = readNumbers(name, String(value[name]), Object.keys(defaults), problems);
    const entries = Object.entries(defaults).map(([counted, limit]) => [
      counted,
      { ...limit, max: given[counted] ?? (isSent ? limit.max : UNLIMITED) },
    ]);
    return Object.fromEntries(entries) as L;
  };
  return {
    production: read('PLAT_MAIL_LIMITS', production),
    sandbox: read('PLAT_SANDBOX_MAIL_LIMITS', sandbox),
    signIn: read('PLAT_SIGN_IN_MAIL_LIMITS', signIn),
  };
}

/** No limit in practice. */
const UNLIMITED = 1_000_000_000;

type MailLimitSetting = 'PLAT_MAIL_LIMITS' | 'PLAT_SANDBOX_MAIL_LIMITS' | 'PLAT_SIGN_IN_MAIL_LIMITS';
