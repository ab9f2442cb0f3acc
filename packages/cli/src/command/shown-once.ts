import {
  DEVELOPER_OPERATIONS,
  type DeveloperOperationTypes,
  OPERATIONS,
  type OperationInfo,
  type OperationTypes,
} from '@plat/contract';
import { CliError } from '../errors/cli-error.ts';
import type { CommandContext } from './context.ts';

/** Operations whose response contains a secret that is shown only once, with the field that holds it. */
const SHOWN_ONCE: {
  readonly [K in keyof Answers as SecretIn<Answers[K]> extends never ? never : K]: SecretIn<Answers[K]>;
} = {
  'webhooks.endpoints.create': 'secret',
  'webhooks.endpoints.rotate_secret': 'secret',
  'keys.mint': 'api_key',
  'apps.register': 'client_secret',
  'apps.rotate_secret': 'client_secret',
  'apps.webhooks.endpoints.create': 'secret',
  'apps.webhooks.endpoints.rotate_secret': 'secret',
};

/**
 * Refuses `--fields` that leave out a secret that is shown only once. It runs before the request: the secret would be
 * lost.
 * @throws {@link CliError} `USAGE`
 */
export function requireSecretField({ flags: { fields } }: CommandContext, operation: string): void {
  const secret: string | undefined = Object.entries(SHOWN_ONCE).find(([name]) => name === operation)?.[1];
  if (secret === undefined || fields === undefined || fields.includes(secret)) return;
  throw new CliError('USAGE', `The response shows ${secret} only once, but --fields leaves it out`, {
    next: `Add it: --fields ${[...fields, secret].join(',')}`,
  });
}

/** Same as {@link requireSecretField}, for a request given as method and path. */
export function requireSecretFieldOf(context: CommandContext, method: string, path: string): void {
  const operations: readonly [string, OperationInfo][] = Object.entries({ ...OPERATIONS, ...DEVELOPER_OPERATIONS });
  const found = operations.find(
    ([name, info]) =>
      Object.hasOwn(SHOWN_ONCE, name) &&
      info.method === method &&
      new RegExp(`^${info.path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(path),
  );
  if (found) requireSecretField(context, found[0]);
}

type Answers = { readonly [K in keyof AllTypes]: AllTypes[K] extends { readonly response: infer R } ? R : never };
type AllTypes = OperationTypes & DeveloperOperationTypes;
/** Name of the field of a response that holds a secret. */
type SecretIn<R> = Extract<keyof R, 'secret' | 'api_key' | 'client_secret'>;
