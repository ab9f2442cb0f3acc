import type { Change } from '../change.ts';

/**
 * Begins or ends the capture of bodies in the request log of a sandbox. Bodies that are stored stay until they expire. A
 * repetition changes nothing.
 */
export async function captureBodies({ db, transaction, tenantId, now, audit }: Change, on: boolean): Promise<void> {
  const where = { id: tenantId, sandbox: 1, captures_bodies: on ? 0 : 1 } as const;
  const [changed] = await db.models.tenant.update({ captures_bodies: on ? 1 : 0 }, { where, transaction });
  if (changed === 0) return;
  await audit({
    action: 'sandbox.body_capture_changed',
    target: { type: 'tenant', id: tenantId },
    changes: { captures_bodies: { before: !on, after: on } },
    at: now,
  });
}
