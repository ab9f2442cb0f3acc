import { isId } from '@plat/contract';
import { OPERATOR, openChange } from '../../change.ts';
import { dueNow } from '../../db/database-clock.ts';
import { execute, select } from '../../db/sql.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { CLOSED_CIRCUIT } from '../../events/endpoints/circuit.ts';
import { CommandError } from '../command-error.ts';
import type { Operator } from './operator.ts';
import { tenantOf } from './tenant-of.ts';

/** Deliveries of one transaction. */
const BATCH = 500;

/**
 * Makes the pending deliveries of a tenant, or of one of its endpoints, due now. Pauses after failures end. Disabled endpoints
 * are left out: their due deliveries end without being sent.
 */
export async function retryNow({ db, now }: Operator, tenantId: string, endpointId: string | undefined) {
  await tenantOf(db, tenantId);
  if (endpointId !== undefined && !isId('webhook_endpoint', endpointId)) throw noEndpoint(endpointId);
  const where = { tenant_id: tenantId, ...(endpointId === undefined ? {} : { id: endpointId }) };
  const found = await db.models.webhookEndpoint.findAll({ where, attributes: ['id', 'status'], raw: true });
  const endpoints = found.filter(({ status }) => status === 'enabled');
  if (endpointId !== undefined && endpoints.length === 0) {
    if (found.length === 0) throw noEndpoint(endpointId);
    throw new CommandError(`the endpoint ${endpointId} is disabled: the tenant has to enable it first`);
  }
  let deliveries = 0;
  for (const { id } of endpoints) {
    await unitOfWork(db, async (transaction) => {
      const circuit = { paused_until: CLOSED_CIRCUIT.paused_until, pauses: CLOSED_CIRCUIT.pauses };
      await db.models.webhookEndpoint.update(circuit, { where: { tenant_id: tenantId, id }, transaction });
      await openChange({ db, tenantId, now }, transaction, OPERATOR).audit({
        action: 'webhook_endpoint.retried_now',
        target: { type: 'webhook_endpoint', id },
        at: now,
      });
    });
    for (let after = ''; ; ) {
      const rows = await select<{ id: string }>(
        db,
        `SELECT id FROM webhook_deliveries
         WHERE tenant_id = :tenantId AND endpoint_id = :id AND status = 'pending' AND id > :after ORDER BY id LIMIT ${BATCH}`,
        { tenantId, id, after },
      );
      const last = rows.at(-1)?.id;
      if (last === undefined) break;
      after = last;
      const ids = rows.map((row) => row.id);
      const sql = `UPDATE webhook_deliveries SET scheduled_at = ${dueNow(db)}
        WHERE tenant_id = :tenantId AND id IN (:ids) AND status = 'pending' AND scheduled_at > ${dueNow(db)}`;
      deliveries += await unitOfWork(db, (transaction) => execute(db, sql, { tenantId, ids }, transaction));
    }
  }
  return { deliveries, endpoints: endpoints.length };
}

function noEndpoint(id: string): CommandError {
  return new CommandError(`the tenant has no endpoint ${id}; see plat-server endpoints`);
}
