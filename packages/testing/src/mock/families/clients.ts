import type { Client } from '@plat/contract';
import { type Answers, deleted, find, laterThan, matching, pageById } from '../call.ts';
import { audit, emit } from '../record.ts';
import { Refusal } from '../refusal.ts';
import { refuseTakenSlug, slugFor } from '../slug.ts';

export const clients: Answers<'clients.list' | 'clients.create' | 'clients.get' | 'clients.update' | 'clients.delete'> =
  {
    'clients.list': (call) => {
      const { status, slug } = call.query;
      return pageById(call, 'client', matching(call.world.clients, { status, slug }));
    },
    'clients.create': (call) => {
      const { world, body, now } = call;
      const at = new Date(now).toISOString();
      const id = world.newId('client');
      const { name } = body;
      const client: Client = {
        object: 'client',
        id,
        name,
        status: 'active',
        slug: slugFor(world.clients, { id, name, slug: body.slug, fallback: 'client' }),
        custom_domain: null,
        created_at: at,
        updated_at: at,
      };
      world.clients.set(id, client);
      emit(call, 'client.created', client);
      audit(call, 'client.created', client);
      return client;
    },
    'clients.get': ({ world, path }) => find(world.clients, path.client_id, 'CLIENT_NOT_FOUND'),
    'clients.update': (call) => {
      const { world, path, now } = call;
      const before = find(world.clients, path.client_id, 'CLIENT_NOT_FOUND');
      const { domain, custom_domain = domain, ...others } = call.body;
      const after: Client = {
        ...before,
        ...others,
        ...(custom_domain === undefined ? {} : { custom_domain }),
        updated_at: laterThan(before.updated_at, now),
      };
      refuseTakenSlug(world.clients, after.slug, after.id);
      for (const other of world.clients.values()) {
        const isTaken = other.id !== after.id && other.custom_domain === after.custom_domain;
        if (isTaken && after.custom_domain !== null) throw new Refusal('DOMAIN_IN_USE');
      }
      world.clients.set(after.id, after);
      emit(call, 'client.updated', after);
      audit(call, 'client.updated', after, before);
      return after;
    },
    'clients.delete': (call) => {
      const { world, path, now } = call;
      const client = find(world.clients, path.client_id, 'CLIENT_NOT_FOUND');
      const { id } = client;
      const at = laterThan(client.updated_at, now);
      for (const { group_id } of world.members.filter(({ client_id }) => client_id === id)) {
        const group = world.groups.get(group_id);
        if (group) world.groups.set(group_id, { ...group, member_count: group.member_count - 1, updated_at: at });
      }
      world.members = world.members.filter(({ client_id }) => client_id !== id);
      for (const user of world.users.values()) {
        const isOfClient = user.location_id !== null && world.locations.get(user.location_id)?.client_id === id;
        if (user.client_id !== id && !isOfClient) continue;
        const place = {
          ...(user.client_id === id ? { client_id: null } : {}),
          ...(isOfClient ? { location_id: null } : {}),
        };
        world.users.set(user.id, { ...user, ...place, updated_at: at });
      }
      for (const location of world.locations.values()) {
        if (location.client_id === id) world.locations.delete(location.id);
      }
      world.clients.delete(id);
      emit(call, 'client.deleted', { ...client, updated_at: at });
      audit(call, 'client.deleted', client);
      return deleted('client', id);
    },
  };
