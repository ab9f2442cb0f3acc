import type { Sequelize } from 'sequelize';
import { gauge, measureOnExport, startTimer } from '../kernel/meter.ts';
import { poolOf, wrapGetConnection } from './sequelize-internals.ts';

/** Measures the pool of connections to a database server. Returns a function that ends the gauges. */
export function observePool(sequelize: Sequelize): () => void {
  wrapGetConnection(sequelize, () => startTimer('plat_db_pool_wait_seconds', {}));
  return measureOnExport(() => {
    const { available, using, waiting } = poolOf(sequelize);
    gauge('plat_db_pool_connections', { state: 'idle' }, available);
    gauge('plat_db_pool_connections', { state: 'used' }, using);
    gauge('plat_db_pool_waiting', {}, waiting);
  });
}
