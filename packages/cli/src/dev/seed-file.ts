import type {
  ClientCreateParams,
  GroupCreateParams,
  UserCreateParams,
  WebhookEndpointCreateParams,
} from '@plat/contract';
import { CliError } from '../errors/cli-error.ts';
import { readInput } from '../files/input-file.ts';
import type { Io } from '../terminal/io.ts';
import { isObject } from '../terminal/value.ts';

/** Objects to create in a sandbox, as request bodies. */
export interface Seed {
  readonly clients: readonly ClientCreateParams[];
  readonly groups: readonly GroupCreateParams[];
  readonly users: readonly UserCreateParams[];
  readonly webhook_endpoints: readonly WebhookEndpointCreateParams[];
}

/** Family → the field that identifies its objects. */
const KEYS = { clients: 'name', groups: 'name', users: 'email', webhook_endpoints: 'url' } as const;

/**
 * Reads a seed file. The server validates the bodies; only the identifying field is checked here.
 * @throws {@link CliError} `UNREADABLE_INPUT`
 */
export async function readSeed(io: Io, file: string): Promise<Seed> {
  const text = await readInput(io, '--seed', file);
  const refuse = (why: string) => new CliError('UNREADABLE_INPUT', `--seed: ${file} ${why}`);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw refuse(`is not JSON (${error instanceof Error ? error.message : 'unreadable'})`);
  }
  if (!isObject(given)) throw refuse('must contain a JSON object');
  const unknown = Object.keys(given).find((family) => !Object.hasOwn(KEYS, family));
  if (unknown !== undefined) throw refuse(`has ${unknown}; it accepts ${Object.keys(KEYS).join(', ')}`);
  const family = (name: keyof typeof KEYS) => {
    const items = given[name] ?? [];
    if (!Array.isArray(items)) throw refuse(`has ${name} that is not a list`);
    for (const [index, item] of items.entries()) {
      const isKnown = isObject(item) && typeof item[KEYS[name]] === 'string';
      if (!isKnown) throw refuse(`has ${name}[${index}] without ${KEYS[name]}`);
    }
    return items;
  };
  return {
    clients: family('clients'),
    groups: family('groups'),
    users: family('users'),
    webhook_endpoints: family('webhook_endpoints'),
  };
}
