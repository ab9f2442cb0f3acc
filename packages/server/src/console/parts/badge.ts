import type { AuditActorType, LoggedCredential } from '@plat/contract';
import { type Html, html } from '../../http/html.ts';

/** Colour marks the exception. Each badge has a word or a code beside its colour. */
export type Mood = '' | 'good' | 'warn' | 'bad';

export function badge(words: string, mood: Mood = ''): Html {
  return html`<span class="badge ${mood}">${words}</span>`;
}

/** Shows the status of a response: of a refused request amber, also if a redirect has the refusal; of a failed one red. */
export function statusBadge(status: number | null): Html {
  if (status === null) return badge('No answer', 'bad');
  const mood = status >= 500 ? 'bad' : status >= 300 ? 'warn' : 'good';
  return html`<span class="badge http ${mood}">${status}</span>`;
}

/** Shows the status that a webhook's receiver sent: anything but 2xx is a failure. */
export function answerBadge(status: number | null, errorClass: string | null): Html {
  if (status === null && errorClass === null) return html`<span class="muted">None yet</span>`;
  if (status === null) return badge((errorClass ?? '').replaceAll('_', ' '), 'bad');
  return html`<span class="badge http ${status >= 200 && status < 300 ? 'good' : 'bad'}">${status}</span>`;
}

/** Words before the id of a credential. */
export const CREDENTIAL_WORDS: Readonly<Record<LoggedCredential['type'], string>> = {
  api_key: 'API key',
  oauth_token: 'Access token of grant',
  session: 'Explorer of',
};

/** Names of actors in the audit trail. */
export const ACTOR_WORDS: Readonly<Record<AuditActorType, string>> = {
  api_key: 'API key',
  oauth_app: 'OAuth app',
  user: 'User',
  developer: 'Developer',
  operator: 'Platform',
  system: 'System',
};
