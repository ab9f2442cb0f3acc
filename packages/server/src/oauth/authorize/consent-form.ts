import { createHmac } from 'node:crypto';
import { randomBytes } from '../../kernel/random.ts';
import type { Sealer } from '../../kernel/seal.ts';
import { tokenOf } from '../../kernel/tokens.ts';

/** The hidden field by which a consent form is known when it is sent twice. */
export const FORM_ID_FIELD = 'form_id';

export function newFormId(): string {
  return randomBytes(32, 'consent form').toString('base64url');
}

/** What makes a consent form one of its kind: two of them that agree in all of it are one form, sent twice. */
interface SentForm {
  readonly formId: string;
  readonly tenantId: string;
  readonly userId: string;
  /** The parameters of the authorization request. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * The authorization code that a consent form leads to, under each master key, the current one first. It follows from the
 * form, so that the same form has the same code in every process, and the code is stored as a hash only.
 */
export function codesOf(sealer: Pick<Sealer, 'keysFor'>, form: SentForm): readonly string[] {
  const { formId, tenantId, userId, parameters } = form;
  const fields = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([formId, tenantId, userId, fields]);
  return sealer
    .keysFor('authorization codes')
    .map((key) => tokenOf('plat_ac_', createHmac('sha256', key).update(text).digest()));
}
