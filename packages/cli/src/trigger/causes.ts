import { randomBytes } from 'node:crypto';
import type { AppEventType, EventType } from '@plat/contract';
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
  run(requests: TriggerRequests): Promise<object>;
}

/** An event that no API key can cause, with the reason and the next step. */
export interface NotCausable {
  readonly why: string;
  readonly next: string;
}

/** Event type → its cause. Sample objects are named as samples. */
export const CAUSES: { readonly [T in EventType]: Cause | NotCausable } & {
  readonly [T in AppEventType]: NotCausable;
} = {
  'client.created': {
    does: 'creates a client',
    acceptsData: true,
    run: async (requests) => only(await makeClient(requests, requests.data)),
  },
  'client.updated': {
    does: 'updates a client, without a change unless --data makes one',
    id: 'client',
    acceptsData: true,
    run: async (requests) => {
      const { id, name } =
        requests.id === undefined ? await makeClient(requests) : await requests.call('clients.get', [requests.id]);
      return only(await requests.call('clients.update', [id], { name, ...requests.data }));
    },
  },
  'client.deleted': {
    does: 'creates a client and deletes it',
    run: async (requests) => only(await requests.call('clients.delete', [(await makeClient(requests)).id])),
  },
  'group.created': {
    does: 'creates a group',
    acceptsData: true,
    run: async (requests) => only(await makeGroup(requests, requests.data)),
  },
  'group.updated': {
    does: 'renames a group',
    id: 'group',
    acceptsData: true,
    run: async (requests) => {
      const { id } = await groupOf(requests);
      return only(await requests.call('groups.update', [id], { name: `${SAMPLE} group, renamed`, ...requests.data }));
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
    run: async (requests) => {
      const { group_id, client_id } = await addMember(requests);
      await requests.call('groups.members.remove', [group_id, client_id]);
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
    run: async (requests) => {
      const { group_id, user_id } = await inviteOwner(requests);
      await requests.call('groups.owners.remove', [group_id, user_id]);
      return { group_id, user_id };
    },
  },
  'group.deleted': {
    does: 'creates a group and deletes it',
    run: async (requests) => only(await requests.call('groups.delete', [(await makeGroup(requests)).id])),
  },
  'user.invited': {
    does: 'invites a user, by a mail to a sample address unless --data names another',
    acceptsData: true,
    run: async (requests) => only(await makeUser(requests, requests.data)),
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
    run: async (requests) => only(await requests.call('users.deactivate', [requests.id ?? ''])),
  },
  'user.role_changed': {
    does: 'gives a user another role, member or viewer unless --data names one',
    id: 'user',
    acceptsData: true,
    run: async (requests) => {
      const { id, role } =
        requests.id === undefined ? await makeUser(requests) : await requests.call('users.get', [requests.id]);
      return only(
        await requests.call('users.update', [id], { role: role === 'member' ? 'viewer' : 'member', ...requests.data }),
      );
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
    run: async (requests) => only(await makeLocation(requests, (await clientOf(requests)).id, requests.data)),
  },
  'location.updated': {
    does: 'changes the address of a location of a client',
    acceptsData: true,
    run: async (requests) => {
      const { id } = await makeClient(requests);
      const location = await makeLocation(requests, id);
      const body = { address: 'Sample street 1', ...requests.data };
      return only(await requests.call('clients.locations.update', [id, location.id], body));
    },
  },
  'location.deleted': {
    does: 'creates two locations of a client and deletes the second',
    run: async (requests) => {
      const { id } = await makeClient(requests);
      // The first is the default, which is protected.
      await makeLocation(requests, id);
      return only(await requests.call('clients.locations.delete', [id, (await makeLocation(requests, id)).id]));
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
  'installation.authorized': {
    why: 'Only an owner can give an app access, on its consent page',
    next: 'In a sandbox: plat oauth try --app-id <app_id>, which revokes the access at the end (without --keep)',
  },
  'installation.revoked': {
    why: 'Only an owner, a developer or the app can revoke its access',
    next: 'In a sandbox: plat login, plat consents list, plat consents revoke <consent_id>',
  },
  'installation.scopes_changed': {
    why: 'Only an owner can give an app other scopes, on its consent page',
    next: 'In a sandbox, twice with different scopes: plat oauth try --app-id <app_id> --keep --scope <scope>',
  },
  'installation.reuse_detected': {
    why: 'Only an app that presents a code or a refresh token twice can cause it',
    next: 'Exchange a code of your app twice: docs/oauth.md',
  },
  'app.verified': {
    why: 'Only an operator can verify an app',
    next: 'On the host of the server: plat-server apps verify <app_id>',
  },
  'app.rejected': {
    why: 'Only an operator can reject an app',
    next: 'On the host of the server: plat-server apps reject <app_id>',
  },
  'app.disabled': {
    why: 'Only an operator or the developer of an app can disable it',
    next: 'With plat login: plat apps disable <app_id>',
  },
  'app.enabled': {
    why: 'Only an operator or the developer of an app can enable it',
    next: 'With plat login: plat apps disable <app_id>, plat apps enable <app_id>',
  },
  'app.deleted': {
    why: 'Only an operator or the developer of an app can delete it',
    next: 'With plat login: plat apps delete <app_id>',
  },
  'app.secret_rotated': {
    why: 'Only the developer of an app can rotate its secret',
    next: 'With plat login: plat apps rotate-secret <app_id>',
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

async function clientOf(requests: TriggerRequests): Promise<{ readonly id: string }> {
  return requests.id === undefined ? makeClient(requests) : { id: requests.id };
}

async function groupOf(requests: TriggerRequests): Promise<{ readonly id: string }> {
  return requests.id === undefined ? makeGroup(requests) : { id: requests.id };
}

async function addMember(
  requests: TriggerRequests,
): Promise<{ readonly group_id: string; readonly client_id: string }> {
  const group = await groupOf(requests);
  const sample = 'client_id' in requests.data ? '' : (await makeClient(requests)).id;
  const { group_id, client_id } = await requests.call('groups.members.add', [group.id], {
    client_id: sample,
    ...requests.data,
  });
  return { group_id, client_id };
}

async function inviteOwner(
  requests: TriggerRequests,
): Promise<{ readonly group_id: string; readonly user_id: string }> {
  const group = await groupOf(requests);
  // Created first and separately, so that a clean-up removes no other user.
  const sample = 'email' in requests.data ? '' : (await makeUser(requests)).email;
  const { group_id, user_id } = await requests.call('groups.owners.invite', [group.id], {
    email: sample,
    ...requests.data,
  });
  return { group_id, user_id };
}

/** Returns an address in a reserved domain (RFC 2606). */
function sampleEmail(): string {
  return `sample-${randomBytes(6).toString('hex')}@plat-trigger.example`;
}
