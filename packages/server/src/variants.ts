import type { Config } from './config/config.ts';
import type { KeepSandboxKey } from './console/page-route.ts';
import type { Database } from './db/database.ts';
import { createDevtools, type DevtoolsBeforeStart } from './devtools/devtools.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { seedRandom } from './kernel/random.ts';
import { requireEmpty } from './ops/empty-database.ts';
import { replaceKeyInSandboxFile } from './sandbox/sandbox-file.ts';

/** The parts in which production, development and deterministic servers differ. */
export interface Variant {
  readonly clock: Clock;
  /** Clock of log lines and request durations; undefined: real time. */
  readonly stopwatch: Clock | undefined;
  /** Null in production. */
  readonly devtools: DevtoolsBeforeStart | null;
  /** True when periodic housekeeping may run. */
  readonly housekeeping: boolean;
  /** True when the request log also keeps requests without a valid credential. */
  readonly logsAnonymousRequests: boolean;
  /** True if users of sandboxes get launch tokens. In production they would enter real modules. */
  readonly launchesSandboxes: boolean;
  /** Replaces the key in the sandbox file. Resolves to the file's path; null if no file has the sandbox. */
  readonly keepSandboxKey: KeepSandboxKey;
  /** Seeds generated values. Returns a function that ends the seed. */
  seed(): () => void;
  /** @throws StartError when the database does not suit the variant */
  checkDatabase(db: Database): Promise<void>;
}

/** @param base clock that a test replaces */
export function variantOf(config: Config, base: Clock = systemClock): Variant {
  if (config.mode === 'production') return production(base);
  return config.deterministic === null ? development(config, base) : deterministic(config, config.deterministic, base);
}

function production(clock: Clock): Variant {
  return {
    clock,
    stopwatch: undefined,
    devtools: null,
    housekeeping: true,
    logsAnonymousRequests: false,
    launchesSandboxes: false,
    keepSandboxKey: async () => null,
    seed: () => () => undefined,
    checkDatabase: async () => undefined,
  };
}

function development({ dataDir }: Config, base: Clock): Variant {
  const devtools = createDevtools({ base, isDeterministic: false });
  return {
    clock: devtools.clock,
    stopwatch: undefined,
    devtools,
    housekeeping: true,
    logsAnonymousRequests: true,
    launchesSandboxes: true,
    keepSandboxKey: (key) => replaceKeyInSandboxFile(dataDir, key),
    seed: () => () => undefined,
    checkDatabase: async () => undefined,
  };
}

/**
 * Every run is the same: the clock is frozen, generated values are derived from a seed, and the database starts empty.
 */
function deterministic(config: Config, seed: number, base: Clock): Variant {
  const devtools = createDevtools({ base, isDeterministic: true });
  return {
    clock: devtools.clock,
    stopwatch: devtools.clock,
    devtools,
    // Periodic jobs start by real time.
    housekeeping: false,
    logsAnonymousRequests: true,
    launchesSandboxes: true,
    keepSandboxKey: (key) => replaceKeyInSandboxFile(config.dataDir, key),
    seed: () => seedRandom(seed, config),
    checkDatabase: requireEmpty,
  };
}
