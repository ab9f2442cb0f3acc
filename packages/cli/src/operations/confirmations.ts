import type { DEVELOPER_OPERATIONS, DeveloperOperationName, OPERATIONS, OperationName } from '@plat/contract';

/** Texts of a confirmation. */
export interface Confirmation {
  /** The action, in the imperative; the id or name of its object follows. */
  readonly action: string;
  /** The consequence, and whether it can be undone: one sentence. */
  readonly consequence: string;
  /** `terminal`: without a terminal (in a script) no confirmation is needed. */
  readonly asked: 'always' | 'terminal';
}

/** Operations that need a confirmation: they delete or replace something that cannot be restored. */
const CONFIRMATIONS: { readonly [K in Confirmed]: Confirmation } = {
  'clients.delete': always('Delete client', 'It cannot be restored, and its slug and domain become free.'),
  'clients.locations.delete': always('Delete location of client', 'It cannot be restored.'),
  'groups.delete': always('Delete group', 'Its memberships, owners and locations are permanently deleted too.'),
  'groups.members.remove': always('Remove from group', 'The client itself stays.'),
  'groups.owners.remove': always('Remove owner of group', 'The user keeps access to the tenant.'),
  'groups.locations.delete': always('Delete location of group', 'It cannot be restored.'),
  'users.delete': always('Withdraw invitation of user', 'The link in the mail stops working at once.'),
  'users.deactivate': always('Deactivate user', 'They lose access at once, and cannot be activated again.'),
  'webhooks.endpoints.delete': always('Delete webhook endpoint', 'Its pending deliveries are not sent.'),
  'webhooks.endpoints.rotate_secret': onTerminal(
    'Rotate the signing secret of webhook endpoint',
    'Without --expires-in the current secret stops signing at once, and receivers that still use it refuse deliveries.',
  ),
  'sandbox.reset': always('Reset the sandbox', 'Its objects, endpoints and events are replaced by the seeded content.'),
  'keys.mint': onTerminal(
    'Replace the API key',
    'Without --expires-in programs that use the current key are refused at once.',
  ),
  'keys.revoke': always('Revoke the API key', 'Programs that use it are refused at once.'),
  'tokens.revoke': always('End login', 'The computer that uses it has to run plat login again.'),
  'apps.disable': always('Disable app', 'Its tokens stop working at once, and tenants have to consent again.'),
  'apps.delete': always('Delete app', 'It cannot be restored, and its tokens stop working at once.'),
  'apps.rotate_secret': onTerminal(
    'Rotate the client secret of app',
    'Without --expires-in the current secret stops working at once.',
  ),
  'apps.webhooks.endpoints.delete': always('Delete webhook endpoint of app', 'Its pending deliveries are not sent.'),
  'apps.webhooks.endpoints.rotate_secret': onTerminal(
    'Rotate the signing secret of webhook endpoint of app',
    'Without --expires-in the current secret stops signing at once, and receivers that still use it refuse deliveries.',
  ),
  'consents.revoke': always('Revoke consent', "The app's tokens for this tenant stop working at once."),
};

/** Returns the confirmation of an operation; null if it needs none. */
export function confirmationOf(operation: OperationName | DeveloperOperationName): Confirmation | null {
  return isConfirmed(operation) ? CONFIRMATIONS[operation] : null;
}

/** Returns the question: the object by its name, when it is known, and its id; then the consequence. */
export function questionOf(
  { action, consequence }: Confirmation,
  path: readonly string[],
  name: string | null,
): string {
  const id = path.join(' ');
  const object = name === null ? id : `"${name}"${id === '' ? '' : ` (${id})`}`;
  return `${action}${object === '' ? '' : ` ${object}`}? ${consequence}`;
}

/** Every operation that deletes, and those that replace or end something by another method. */
type Confirmed =
  | DeletionIn<typeof OPERATIONS>
  | DeletionIn<typeof DEVELOPER_OPERATIONS>
  | 'users.deactivate'
  | 'webhooks.endpoints.rotate_secret'
  | 'sandbox.reset'
  | 'keys.mint'
  | 'apps.disable'
  | 'apps.rotate_secret'
  | 'apps.webhooks.endpoints.rotate_secret';
type DeletionIn<T> = { [K in keyof T]: T[K] extends { readonly method: 'DELETE' } ? K : never }[keyof T];

function isConfirmed(operation: string): operation is Confirmed {
  return Object.hasOwn(CONFIRMATIONS, operation);
}

function always(action: string, consequence: string): Confirmation {
  return { action, consequence, asked: 'always' };
}

function onTerminal(action: string, consequence: string): Confirmation {
  return { action, consequence, asked: 'terminal' };
}
