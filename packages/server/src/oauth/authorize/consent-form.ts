import { createHmac } from 'node:crypto';
import { randomBytes } from '../../kernel/random.ts';
import type { Sealer } from '../../kernel/seal.ts';
import { tokenOf } from '../../kernel/tokens.ts';

/** Hidden field that identifies a consent form when it is sent twice. */
export const FORM_ID_FIELD = 'form_id';

export function newFormId(): string {
  return randomBytes(32, 'consent form').toString('base64url');
}

/** Fields that identify a consent form: two forms with equal fields are one form, sent twice. */
interface SentForm {
  readonly formId: string;
  readonly tenantId: string;
  readonly userId: string;
  /** The parameters of the authorization request. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Derives the authorization code of a consent form with each master key, the current one first. The same form has the
 * same code in every process, although only the hash of the code is stored.
 */
export function codesOf(sealer: Pick<Sealer, 'keysFor'>, form: SentForm): readonly string[] {
  const { formId, tenantId, userId, parameters } = form;
  const fields = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([formId, tenantId, userId, fields]);
  return sealer
    .keysFor('authorization codes')
    .map((key) => tokenOf('plat_ac_', createHmac('sha256', key).update(text).digest()));
}
