import { ceiling } from './ceiling.ts';
import { copy } from './copy.ts';
import { deadConnections, galeraSwitch, groupReplicationSwitch, redisFrozen } from './database-switch.ts';
import type { Drill } from './drill.ts';
import { fairness } from './fairness.ts';
import { fiveDatabases } from './five-databases.ts';
import { housekeeping } from './housekeeping.ts';
import { listFilters } from './list-filters.ts';
import { onlineMigration } from './online-migration.ts';
import { overload } from './overload.ts';
import { revocation } from './revocation.ts';
import { rollingUpgrade } from './rolling-upgrade.ts';
import { size } from './size.ts';
import { wake } from './wake.ts';

/** The drills by name. */
export const DRILLS: Readonly<Record<string, Drill>> = {
  ceiling,
  copy,
  fairness,
  'five-databases': fiveDatabases,
  housekeeping,
  'list-filters': listFilters,
  'online-migration': onlineMigration,
  overload,
  revocation,
  'rolling-upgrade': rollingUpgrade,
  size,
  wake,
  'galera-switch': galeraSwitch,
  'group-replication-switch': groupReplicationSwitch,
  'dead-connections': deadConnections,
  'redis-frozen': redisFrozen,
};
