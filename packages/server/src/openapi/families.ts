import type { OperationName } from '@plat/contract';

type FamilyOf<N extends string> = N extends `${string}.locations.${string}`
  ? 'locations'
  : N extends `${infer F}.${string}`
    ? F
    : never;

/** Families of operations with their descriptions, in the order of the document. The type requires every family. */
export const FAMILIES: { readonly [F in FamilyOf<OperationName>]: string } = {
  me: 'The credential that calls.',
  clients: 'The customers of the tenant.',
  groups: 'Groups of clients, with their members and owners.',
  users: 'The people of the tenant, their invitations and their roles.',
  locations: 'The places of clients and groups.',
  tenant: 'The tenant itself.',
  settings: 'What holds for the whole tenant.',
  roles: 'Roles that determine what users can see: built-in roles and those of the tenant.',
  audit: 'Who changed what, and when.',
  requests: 'The request log: requests with their responses and refusals.',
  trace: 'All that is recorded about an id, from its cause to its effects.',
  modules: 'The module catalog of the platform.',
  plans: 'The plan catalog of the platform.',
  billing: 'Invoices and payments.',
  webhooks: 'Endpoints that events are sent to, the events, and the attempts to deliver them.',
};

/** Returns the family of an operation. */
export function familyOf(name: OperationName): string {
  return name.includes('.locations.') ? 'locations' : (name.split('.')[0] ?? name);
}
