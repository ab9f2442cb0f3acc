import type { ListParams } from '@plat/contract';
import type { Html } from '../http/html.ts';
import type { Page } from '../http/route.ts';
import { listNamedMembers } from '../resources/groups/group-members.service.ts';
import { listGroupsOfClient } from '../resources/groups/groups.service.ts';
import type { Room } from './access.ts';
import { type ApiObject, filledPath, type PageOperation } from './api-operation.ts';
import { invoiceLines, replayProgress } from './data-above.ts';
import type { PageCall } from './page-route.ts';
import { emptyState } from './parts/empty.ts';

/** A change of one object that has its own button. */
export interface ObjectAction {
  readonly operation: PageOperation;
  /** Last part of the path of its page. */
  readonly verb: string;
  readonly button: string;
  /** Message after the change. */
  readonly done: string;
  /** True for objects that it applies to; absent for all. */
  readonly applies?: (object: ApiObject) => boolean;
  /** True if the object is gone afterwards. */
  readonly removes?: boolean;
}

/** A kind of object of /v1 with its pages. Fields, rules and paths are those of its operations. */
export interface Collection {
  readonly room: Room;
  readonly one: string;
  readonly many: string;
  /** One sentence about these objects. */
  readonly about: string;
  /** Path of the navigation entry, if the list has none. */
  readonly nav?: string;
  /** Collections of the same navigation entry, with the words of their tabs. */
  readonly siblings?: readonly Sibling[];
  readonly list: PageOperation;
  /** Reads the rows with more fields than the list has. */
  readonly read?: ReadRows;
  /** Absent for rows without a page. */
  readonly get?: PageOperation;
  /** For a row that stands for another object: the operation that reads it, and the field with its name. */
  readonly standsFor?: { readonly get: PageOperation; readonly named: string };
  readonly create?: PageOperation;
  readonly createButton?: string;
  /** Message after a creation, if it is not that the object was created. */
  readonly created?: string;
  readonly update?: PageOperation;
  readonly mayUpdate?: (object: ApiObject) => boolean;
  readonly actions?: readonly ObjectAction[];
  /** The field that names an object. */
  readonly named: string;
  /** Fields that a search by name examines. */
  readonly searched?: readonly string[];
  /** Fields in the columns of the list, after the name. The first one stays on narrow screens. */
  readonly columns: readonly string[];
  /** Options of the command that creates the first object. */
  readonly firstStep?: string;
  /** Lists of related objects on the page of an object. */
  readonly related?: readonly Related[];
  /** Content of the page of an object above its tabs. */
  readonly above?: (object: ApiObject) => Html;
}

type ReadRows = (call: Pick<PageCall, 'ctx' | 'ids'>, params: ListParams) => Promise<Page<object>>;

/** A list that stands beside another one. */
interface Sibling {
  readonly list: PageOperation;
  readonly words: string;
}

const BILLING: readonly Sibling[] = [
  { list: 'billing.invoices.list', words: 'Invoices' },
  { list: 'billing.payments.list', words: 'Payments' },
];

const CATALOG: readonly Sibling[] = [
  { list: 'plans.list', words: 'Plans' },
  { list: 'modules.list', words: 'Modules' },
];

/** A list on the page of another object. */
export interface Related {
  /** Last part of the path of its page. */
  readonly tab: string;
  readonly collection: Collection;
  /** Reads the objects that belong to the other one, if no list of /v1 does. */
  readonly read?: ReadRows;
  /** In the place of rows, with the first step. */
  readonly none?: (ids: PageCall['ids']) => Html;
  /** A change of one row that has its own page. */
  readonly rowAction?: { readonly button: string; readonly path: (ids: PageCall['ids'], row: ApiObject) => string };
  /** Filter of the list that selects the objects; absent if the path of the list does. */
  readonly filter?: (object: ApiObject) => Readonly<Record<string, string>>;
}

const locationsOf = (owner: 'clients' | 'groups'): Collection => ({
  room: owner,
  one: 'location',
  many: 'locations',
  about: 'Addresses with their country and time zone.',
  list: `${owner}.locations.list`,
  get: `${owner}.locations.get`,
  create: `${owner}.locations.create`,
  update: `${owner}.locations.update`,
  actions: [
    {
      operation: `${owner}.locations.delete`,
      verb: 'delete',
      button: 'Delete location',
      done: 'Location deleted.',
      removes: true,
    },
  ],
  named: 'name',
  searched: ['name', 'address'],
  columns: ['country', 'default', 'timezone', 'created_at'],
  firstStep: '--name "Main store" --country DE',
});

const USERS: Collection = {
  room: 'users',
  one: 'user',
  many: 'users',
  about: 'People with access to the tenant. A new user gets an invitation by mail.',
  list: 'users.list',
  get: 'users.get',
  create: 'users.create',
  createButton: 'Invite user',
  created: 'Invitation sent.',
  update: 'users.update',
  actions: [
    {
      operation: 'users.invite',
      verb: 'invite',
      button: 'Send invitation again',
      done: 'Invitation sent. Earlier links stop working.',
      applies: ({ status }) => status === 'invited',
    },
    {
      operation: 'users.deactivate',
      verb: 'deactivate',
      button: 'Deactivate user',
      done: 'User deactivated.',
      applies: ({ status }) => status === 'active',
    },
    {
      operation: 'users.delete',
      verb: 'delete',
      button: 'Withdraw invitation',
      done: 'Invitation withdrawn.',
      applies: ({ status }) => status === 'invited',
      removes: true,
    },
  ],
  named: 'email',
  searched: ['name', 'email'],
  columns: ['status', 'name', 'role', 'created_at'],
  firstStep: '--email ada@example.com --role member',
};

const MEMBERS: Collection = {
  room: 'groups',
  one: 'member',
  many: 'members',
  about: 'The clients in the group.',
  list: 'groups.members.list',
  // A search needs the names, which a list of memberships has not.
  read: ({ ctx, ids }, params) => listNamedMembers(ctx, ids['group_id'] ?? '', params),
  get: 'groups.members.get',
  standsFor: { get: 'clients.get', named: 'name' },
  create: 'groups.members.add',
  createButton: 'Add client',
  created: 'Client added to the group.',
  actions: [
    {
      operation: 'groups.members.remove',
      verb: 'delete',
      button: 'Remove from group',
      done: 'Client removed from the group.',
      removes: true,
    },
  ],
  named: 'client_id',
  searched: ['name', 'slug'],
  columns: ['created_at', 'slug'],
};

const OWNERS: Collection = {
  room: 'groups',
  one: 'owner',
  many: 'owners',
  about: 'The users who own the group.',
  list: 'groups.owners.list',
  get: 'groups.owners.get',
  standsFor: { get: 'users.get', named: 'email' },
  create: 'groups.owners.invite',
  createButton: 'Invite owner',
  created: 'Owner invited.',
  actions: [
    {
      operation: 'groups.owners.remove',
      verb: 'delete',
      button: 'Remove owner',
      done: 'Owner removed.',
      removes: true,
    },
  ],
  named: 'email',
  searched: ['email'],
  columns: ['status', 'created_at'],
};

const GROUPS: Collection = {
  room: 'groups',
  one: 'group',
  many: 'groups',
  about: 'Groups of clients, with owners and locations.',
  list: 'groups.list',
  get: 'groups.get',
  create: 'groups.create',
  update: 'groups.update',
  actions: [
    {
      operation: 'groups.delete',
      verb: 'delete',
      button: 'Delete group',
      done: 'Group deleted.',
      removes: true,
    },
  ],
  named: 'name',
  searched: ['name', 'slug'],
  columns: ['member_count', 'slug', 'membership_policy', 'created_at'],
  firstStep: '--name "Retail North"',
  related: [
    { tab: 'members', collection: MEMBERS },
    { tab: 'owners', collection: OWNERS },
    { tab: 'locations', collection: locationsOf('groups') },
  ],
};

const CLIENTS: Collection = {
  room: 'clients',
  one: 'client',
  many: 'clients',
  about: 'The customers of the tenant, with their locations, groups and users.',
  list: 'clients.list',
  get: 'clients.get',
  create: 'clients.create',
  update: 'clients.update',
  actions: [
    {
      operation: 'clients.delete',
      verb: 'delete',
      button: 'Delete client',
      done: 'Client deleted.',
      removes: true,
    },
  ],
  named: 'name',
  searched: ['name', 'slug', 'custom_domain'],
  columns: ['status', 'slug', 'custom_domain', 'created_at'],
  firstStep: '--name Acme',
  related: [
    { tab: 'locations', collection: locationsOf('clients') },
    {
      tab: 'groups',
      collection: GROUPS,
      read: ({ ctx, ids }, params) => listGroupsOfClient(ctx, ids['client_id'] ?? '', params),
      none: ({ client_id }) =>
        emptyState({
          title: 'In no group yet',
          words: 'Add the client on the page of a group, or in a terminal:',
          command: { label: 'plat', text: `plat groups members add grp_… --client-id ${client_id}` },
        }),
      rowAction: {
        button: 'Remove from group',
        path: ({ client_id = '' }, { id }) =>
          `${filledPath('groups.members.get', { group_id: String(id), client_id })}/delete`,
      },
    },
    { tab: 'users', collection: USERS, filter: ({ id }) => ({ client_id: String(id) }) },
  ],
};

const ROLES: Collection = {
  room: 'roles',
  one: 'role',
  many: 'roles',
  about: 'What users see in modules. Built-in roles cannot be changed.',
  list: 'roles.list',
  get: 'roles.get',
  create: 'roles.create',
  update: 'roles.update',
  mayUpdate: ({ built_in }) => built_in === false,
  named: 'title',
  searched: ['title', 'name'],
  columns: ['name', 'built_in', 'capabilities', 'created_at'],
  firstStep: '--name shop_manager --title "Shop manager"',
  related: [{ tab: 'users', collection: USERS, filter: ({ name }) => ({ role: String(name) }) }],
};

const REPLAYS: Collection = {
  room: 'webhooks',
  one: 'replay',
  many: 'replays',
  about: 'Jobs that send many failed or missed events again.',
  nav: '/webhooks',
  list: 'webhooks.replays.list',
  get: 'webhooks.replays.get',
  create: 'webhooks.replays.create',
  createButton: 'Replay events',
  actions: [
    {
      operation: 'webhooks.replays.cancel',
      verb: 'cancel',
      button: 'Cancel replay',
      done: 'Replay canceled. Scheduled deliveries are still sent.',
      applies: ({ status }) => status === 'pending' || status === 'running',
    },
  ],
  named: 'id',
  columns: ['status', 'select', 'scheduled_count', 'created_at'],
  firstStep: '--since 2026-01-31T12:00:00Z',
  above: replayProgress,
};

/** Replays of the events of an app, on the pages of its developer. */
export const APP_REPLAYS: Collection = {
  ...REPLAYS,
  room: 'apps',
  nav: '/apps',
  list: 'apps.webhooks.replays.list',
  get: 'apps.webhooks.replays.get',
  create: 'apps.webhooks.replays.create',
  actions: (REPLAYS.actions ?? []).map((action) => ({ ...action, operation: 'apps.webhooks.replays.cancel' })),
};

const PAYMENTS: Collection = {
  room: 'billing',
  one: 'payment',
  many: 'payments',
  about: 'Payments of invoices, and attempts to pay them.',
  nav: '/billing/invoices',
  siblings: BILLING,
  list: 'billing.payments.list',
  named: 'id',
  columns: ['status', 'amount', 'method', 'invoice_id', 'created_at'],
};

const INVOICES: Collection = {
  room: 'billing',
  one: 'invoice',
  many: 'invoices',
  about: 'Invoices of the platform to the tenant.',
  siblings: BILLING,
  list: 'billing.invoices.list',
  get: 'billing.invoices.get',
  named: 'number',
  searched: ['number'],
  columns: ['status', 'amount_due', 'amount_paid', 'due_at', 'created_at'],
  related: [{ tab: 'payments', collection: PAYMENTS, filter: ({ id }) => ({ invoice_id: String(id) }) }],
  above: invoiceLines,
};

const PLANS: Collection = {
  room: 'catalog',
  one: 'plan',
  many: 'plans',
  about: 'The plans of the platform, with the capabilities that each grants.',
  siblings: CATALOG,
  list: 'plans.list',
  named: 'name',
  columns: ['amount', 'interval', 'capabilities'],
};

const MODULES: Collection = {
  room: 'catalog',
  one: 'module',
  many: 'modules',
  about: 'The modules of the platform, with their capabilities.',
  nav: '/plans',
  siblings: CATALOG,
  list: 'modules.list',
  named: 'name',
  columns: ['slug', 'description', 'capabilities', 'launch_url'],
};

/** The collections whose list is a page. */
export const COLLECTIONS: readonly Collection[] = [
  ...[CLIENTS, GROUPS, USERS, ROLES],
  ...[REPLAYS, INVOICES, PAYMENTS, PLANS, MODULES],
];

/** A collection whose objects have a page. */
export type PagedCollection = Collection & { readonly get: PageOperation };

export function isPaged(collection: Collection): collection is PagedCollection {
  return collection.get !== undefined;
}
