import { DEVELOPER_OPERATIONS, type DeveloperOperationName } from '@plat/contract';

/** Operation of the developer API → command words. */
export const DEVELOPER_COMMANDS = {
  'me.get': 'auth status',
  'tokens.list': 'auth list',
  'tokens.revoke': 'auth revoke',
  'sandbox.get': 'sandbox show',
  'sandbox.reset': 'sandbox reset',
  'keys.get': 'keys show',
  'keys.mint': 'keys mint',
  'keys.revoke': 'keys revoke',
  'apps.list': 'apps list',
  'apps.register': 'apps register',
  'apps.get': 'apps get',
  'apps.update': 'apps update',
  'apps.rotate_secret': 'apps rotate-secret',
  'apps.disable': 'apps disable',
  'apps.enable': 'apps enable',
  'apps.delete': 'apps delete',
  'apps.request_verification': 'apps request-verification',
  'apps.installations.list': 'apps installations list',
  'apps.installations.get': 'apps installations get',
  'apps.trace.get': 'apps trace get',
  'apps.refusals.list': 'apps refusals list',
  'apps.webhooks.endpoints.list': 'apps webhooks endpoints list',
  'apps.webhooks.endpoints.create': 'apps webhooks endpoints create',
  'apps.webhooks.endpoints.get': 'apps webhooks endpoints get',
  'apps.webhooks.endpoints.update': 'apps webhooks endpoints update',
  'apps.webhooks.endpoints.delete': 'apps webhooks endpoints delete',
  'apps.webhooks.endpoints.rotate_secret': 'apps webhooks endpoints rotate-secret',
  'apps.webhooks.events.list': 'apps webhooks events list',
  'apps.webhooks.events.get': 'apps webhooks events get',
  'apps.webhooks.events.replay': 'apps webhooks events replay',
  'apps.webhooks.deliveries.list': 'apps webhooks deliveries list',
  'apps.webhooks.deliveries.get': 'apps webhooks deliveries get',
  'apps.webhooks.replays.list': 'apps webhooks replays list',
  'apps.webhooks.replays.create': 'apps webhooks replays create',
  'apps.webhooks.replays.get': 'apps webhooks replays get',
  'apps.webhooks.replays.cancel': 'apps webhooks replays cancel',
  'consents.list': 'consents list',
  'consents.revoke': 'consents revoke',
  'launch_tokens.mint': 'launch mint',
} as const satisfies Record<DeveloperOperationName, string>;

/** All operations, in the order of the contract. */
export const DEVELOPER_OPERATION_NAMES: readonly DeveloperOperationName[] =
  Object.keys(DEVELOPER_OPERATIONS).filter(isDeveloperOperation);

function isDeveloperOperation(name: string): name is DeveloperOperationName {
  return Object.hasOwn(DEVELOPER_OPERATIONS, name);
}
