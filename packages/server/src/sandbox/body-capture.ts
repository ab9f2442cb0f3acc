import type { Change } from '../change.ts';

/**
 * Begins or ends the capture of bodies in the request log of a sandbox. Bodies that are stored stay until they expire. A
 * repetition changes nothing.
 */
export async function captureBodies({ db, transaction, tenantId, now, audit }: Change, on: boolean): Promise<void> {
  const [before, after] = on ? ([0, 1] as const) : ([1, 0] as const);
  const where = { id: tenantId, sandbox: 1 as const, captures_bodies: before };
  const [changed] = await db.models.tenant.update({ captures_bodies: after }, { where, transaction });
  if (changed === 0) return;
  await audit({
    action: 'sandbox.body_capture_changed',
    target: { type: 'tenant', id: tenantId },
    changes: { captures_bodies: { before: !on, after: on } },
    at: now,
  });
}
