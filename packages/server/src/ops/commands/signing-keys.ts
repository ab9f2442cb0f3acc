import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts';
import { createSealer } from '../../kernel/seal.ts';
import { mayRetireAt, maySignAt } from '../../launch/key-times.ts';
import { retireSigningKey } from '../../launch/retire-key.ts';
import { ensureSigningKey, type KeyView, listSigningKeys, rotateSigningKeys } from '../../launch/signing-keys.ts';
import { loadMasterKeys } from '../data-dir.ts';
import type { Operator } from './operator.ts';

/** Lists all signing keys, with the time of their next step. */
export async function listKeys({ db }: Operator) {
  return (await listSigningKeys(db)).map(printable);
}

/** Performs the next step of a rotation: creates the next key, or makes it sign. */
export async function rotateKeys(operator: Operator, force: boolean) {
  const { db, now } = operator;
  const services = { db, sealer: createSealer(loadMasterKeys(operator.config)) };
  await ensureSigningKey(services, now);
  const rotation = await rotateSigningKeys(services, { now, force });
  if ('made' in rotation) {
    const { made } = rotation;
    const note = `published; to sign with this key, rotate again from ${isoTime(maySignAt(made))} on`;
    return { kid: made.kid, status: made.status, note };
  }
  const { promoted, replaced } = rotation;
  const kept = `${replaced.kid} stays published, for the tokens that it signed; retire it from ${isoTime(mayRetireAt({ replaced_at: now }) ?? now)}`;
  const early = now < maySignAt(promoted) ? `; ${unknownUntil(promoted)}` : '';
  return { kid: promoted.kid, status: promoted.status, note: `this key signs now; ${kept}${early}` };
}

/** Removes a key from the key set permanently. */
export async function retireKey(operator: Operator, kid: string, force: boolean) {
  const { db, now } = operator;
  const services = { db, sealer: createSealer(loadMasterKeys(operator.config)) };
  const { retired, successor, hadTokens } = await retireSigningKey(services, { kid, now, force });
  const notes = [
    ...(hadTokens
      ? ['tokens that it signed are refused within the hour that receivers may cache the key; users must launch again']
      : []),
    ...(successor ? [`${successor.kid} signs in its place`] : []),
    ...(successor && now < maySignAt(successor) ? [unknownUntil(successor)] : []),
  ];
  return { kid: retired.kid, status: retired.status, note: notes.join('; ') || 'no token is affected' };
}

/** Consequence of signing too early. */
function unknownUntil(key: KeyView): string {
  return `receivers that do not fetch the key set again for an unknown kid refuse its tokens until ${isoTime(maySignAt(key))}`;
}

function printable(key: KeyView) {
  const { kid, status, created_at, current_at, replaced_at, retired_at } = key;
  const retirable = mayRetireAt(key);
  const due =
    status === 'next'
      ? `may sign from ${isoTime(maySignAt(key))}`
      : status === 'previous' && retirable !== null
        ? `may be retired from ${isoTime(retirable)}`
        : null;
  return {
    kid,
    status,
    published_at: isoTime(created_at),
    current_at: isoTimeOrNull(current_at),
    replaced_at: isoTimeOrNull(replaced_at),
    retired_at: isoTimeOrNull(retired_at),
    due,
  };
}
