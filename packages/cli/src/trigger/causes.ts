import { randomBytes } from 'node:crypto';
import type { EventType } from '@plat/contract';
import type { TriggerRequests } from './trigger-requests.ts';

/** API calls that cause an event. */
export interface Cause {
  /** In words: "creates a client". */
  readonly does: string;
  /** Kind of object that `--id` may name instead of a sample; `needsId` makes it required. */
  readonly id?: 'client' | 'group' | 'user';
  readonly needsId?: true;
  /** `--data` can set the fields of the request. */
  readonly acceptsData?: true;
  /** Needs a confirmation, since the change of the `--id` object cannot be undone. */
  readonly confirms?: true;
  /** Resolves to fields that identify the event by its data. */
  run(act: TriggerRequests): Promise<object>;
}

/** An event that no API key can cause, with the reason and the next step. */
export interface NotCausable {
  readonly why: string;
  readonly next: string;
}

/** Event type → its cause. Sample objects are named as samples. */
export const CAUSES: { readonly [T in EventType]: Cause | NotCausable } = {
  'client.created': {
    does: 'creates a client',
    acceptsData: true,
    run: async (act) => only(await makeClient(act, act.data)),
  },
  'client.updated': {
    does: 'updates a client, without a change unless --data makes one',
    id: 'client',
    acceptsData: true,
    run: async (act) => {
      const { id, name } = act.id === undefined ? await makeClient(act) : await act.call('clients.get', [act.id]);
      return only(await act.call('clients.update', [id], { name, ...act.data }));
    },
  },
  'client.deleted': {
    does: 'creates a client and deletes it',
    run: async (act) => only(await act.call('clients.delete', [(await makeClient(act)).id])),
  },
  'group.created': {
    does: 'creates a group',
    acceptsData: true,
    run: async (act) => only(await makeGroup(act, act.data)),
  },
  'group.updated': {
    does: 'renames a group',
    id: 'group',
    acceptsData: true,
    run: async (act) => {
      const { id } = await groupOf(act);
      return only(await act.call('groups.update', [id], { name: `${SAMPLE} group, renamed`, ...act.data }));
    },
  },
  'group.member_added': {
    does: 'adds a client to a group',
    id: 'group',
    acceptsData: true,
    run: addMember,
  },
  'group.member_removed': {
    does: 'adds a client to a group and removes it',
    run: async (act) => {
      const { group_id, client_id } = await addMember(act);
      await act.call('groups.members.remove', [group_id, client_id]);
      return { group_id, client_id };
    },
  },
  'group.owner_invited': {
    does: 'invites an owner of a group, by a mail to a sample address unless --data names another',
    id: 'group',
    acceptsData: true,
    run: inviteOwner,
  },
  'group.owner_removed': {
    does: 'invites an owner of a group and removes it',
    run: async (act) => {
      const { group_id, user_id } = await inviteOwner(act);
      await act.call('groups.owners.remove', [group_id, user_id]);
      return { group_id, user_id };
    },
  },
  'group.deleted': {
    does: 'creates a group and deletes it',
    run: async (act) => only(await act.call('groups.delete', [(await makeGroup(act)).id])),
  },
  'user.invited': {
    does: 'invites a user, by a mail to a sample address unless --data names another',
    acceptsData: true,
    run: async (act) => only(await makeUser(act, act.data)),
  },
  'user.activated': {
    why: 'Only the invitee can accept an invitation',
    next: 'Invite a person (plat trigger user.invited --data \'{"email":"…"}\') and open the link in the mail; a sandbox shows its mails at /_dev/mail.',
  },
  'user.deactivated': {
    does: 'deactivates the active user of --id, permanently',
    id: 'user',
    needsId: true,
    confirms: true,
    run: async (act) => only(await act.call('users.deactivate', [act.id ?? ''])),
  },
  'user.role_changed': {
    does: 'gives a user another role, member or viewer unless --data names one',
    id: 'user',
    acceptsData: true,
    run: async (act) => {
      const { id, role } = act.id === undefined ? await makeUser(act) : await act.call('users.get', [act.id]);
      return only(await act.call('users.update', [id], { role: role === 'member' ? 'viewer' : 'member', ...act.data }));
    },
  },
  'tenant.suspended': {
    why: 'Only an operator can suspend a tenant',
    next: 'On the host of the server: plat-server tenants suspend <tenant_id>',
  },
  'tenant.reactivated': {
    why: 'Only an operator can reactivate a tenant',
    next: 'On the host of the server: plat-server tenants reactivate <tenant_id>',
  },
  'location.created': {
    does: 'creates a location of a client',
    id: 'client',
    acceptsData: true,
    run: async (act) => only(await makeLocation(act, (await clientOf(act)).id, act.data)),
  },
  'location.updated': {
    does: 'changes the address of a location of a client',
    acceptsData: true,
    run: async (act) => {
      const { id } = await makeClient(act);
      const location = await makeLocation(act, id);
      const body = { address: 'Sample street 1', ...act.data };
      return only(await act.call('clients.locations.update', [id, location.id], body));
    },
  },
  'location.deleted': {
    does: 'creates two locations of a client and deletes the second',
    run: async (act) => {
      const { id } = await makeClient(act);
      // The first is the default, which is protected.
      await makeLocation(act, id);
      return only(await act.call('clients.locations.delete', [id, (await makeLocation(act, id)).id]));
    },
  },
  'oauth.app_authorized': {
    why: 'Only an owner can consent to an app, on its consent page',
    next: 'Register an app (plat apps register) and open its authorization URL: docs/oauth.md',
  },
  'oauth.app_revoked': {
    why: 'Only an owner or a developer can revoke a consent',
    next: 'In a sandbox: plat login, plat consents list, plat consents revoke <consent_id>',
  },
};

const SAMPLE = 'Sample of plat trigger:';

function only({ id }: { readonly id: string }): object {
  return { id };
}

function makeClient({ call }: TriggerRequests, data = {}) {
  return call('clients.create', [], { name: `${SAMPLE} client`, ...data });
}

function makeGroup({ call }: TriggerRequests, data = {}) {
  return call('groups.create', [], { name: `${SAMPLE} group`, ...data });
}

function makeUser({ call }: TriggerRequests, data = {}) {
  return call('users.create', [], { email: sampleEmail(), role: 'viewer', name: `${SAMPLE} user`, ...data });
}

function makeLocation({ call }: TriggerRequests, clientId: string, data = {}) {
  return call('clients.locations.create', [clientId], { name: `${SAMPLE} location`, country: 'DE', ...data });
}

async function clientOf(act: TriggerRequests): Promise<{ readonly id: string }> {
  return act.id === undefined ? makeClient(act) : { id: act.id };
}

async function groupOf(act: TriggerRequests): Promise<{ readonly id: string }> {
  return act.id === undefined ? makeGroup(act) : { id: act.id };
}

async function addMember(act: TriggerRequests): Promise<{ readonly group_id: string; readonly client_id: string }> {
  const group = await groupOf(act);
  const sample = 'client_id' in act.data ? '' : (await makeClient(act)).id;
  const { group_id, client_id } = await act.call('groups.members.add', [group.id], { client_id: sample, ...act.data });
  return { group_id, client_id };
}

async function inviteOwner(act: TriggerRequests): Promise<{ readonly group_id: string; readonly user_id: string }> {
  const group = await groupOf(act);
  // Created first and separately, so that a clean-up removes no other user.
  const sample = 'email' in act.data ? '' : (await makeUser(act)).email;
  const { group_id, user_id } = await act.call('groups.owners.invite', [group.id], { email: sample, ...act.data });
  return { group_id, user_id };
}

/** Returns an address in a reserved domain (RFC 2606). */
function sampleEmail(): string {
  return `sample-${randomBytes(6).toString('hex')}@plat-trigger.example`;
}
