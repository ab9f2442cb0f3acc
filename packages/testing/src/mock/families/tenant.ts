import type { Role, Settings } from '@plat/contract';
import { type Answers, find, laterThan, pageById } from '../call.ts';
import { audit, differs } from '../record.ts';
import { invalid, Refusal } from '../refusal.ts';
import type { World } from '../world.ts';

export const tenant: Answers<
  | 'tenant.get'
  | 'tenant.update'
  | 'settings.get'
  | 'settings.update'
  | 'roles.list'
  | 'roles.create'
  | 'roles.get'
  | 'roles.update'
> = {
  'tenant.get': ({ world }) => world.tenant,
  'tenant.update': (call) => {
    const { world, body, now } = call;
    const before = world.tenant;
    const after = { ...before, ...body, updated_at: laterThan(before.updated_at, now) };
    if (!differs(before, after)) return before;
    world.tenant = after;
    audit(call, 'tenant.updated', after, before);
    return after;
  },
  'settings.get': ({ world }) => world.settings,
  'settings.update': (call) => {
    const { world, body, now } = call;
    const before = world.settings;
    const after: Settings = { ...before, ...body, updated_at: laterThan(before.updated_at, now) };
    if (!differs(before, after)) return before;
    world.settings = after;
    const { id } = world.tenant;
    audit(call, 'settings.updated', { ...after, id }, { ...before, id });
    return after;
  },
  'roles.list': (call) => pageById(call, 'role', call.world.roles.values()),
  'roles.create': (call) => {
    const { world, body, now } = call;
    const { name, title, description = null, capabilities = [] } = body;
    refuseUnknown(world, capabilities);
    if ([...world.roles.values()].some((role) => role.name === name)) throw new Refusal('ROLE_NAME_IN_USE');
    const at = new Date(now).toISOString();
    const dates = { created_at: at, updated_at: at };
    const id = world.newId('role');
    const role: Role = { object: 'role', id, name, title, description, built_in: false, capabilities, ...dates };
    world.roles.set(id, role);
    audit(call, 'role.created', role);
    return role;
  },
  'roles.get': ({ world, path }) => find(world.roles, path.role_id, 'ROLE_NOT_FOUND'),
  'roles.update': (call) => {
    const { world, path, body, now } = call;
    const before = find(world.roles, path.role_id, 'ROLE_NOT_FOUND');
    if (before.built_in) throw new Refusal('ROLE_BUILT_IN');
    refuseUnknown(world, body.capabilities ?? []);
    const after: Role = { ...before, ...body, updated_at: laterThan(before.updated_at, now) };
    if (!differs(before, after)) return before;
    world.roles.set(after.id, after);
    audit(call, 'role.updated', after, before);
    return after;
  },
};

function refuseUnknown({ modules }: World, capabilities: readonly string[]): void {
  const known = new Set([...modules.values()].flatMap((module) => module.capabilities));
  const errors = capabilities.flatMap((id, i) =>
    known.has(id) ? [] : [{ path: `capabilities.${i}`, message: 'is not a capability of the module catalog' }],
  );
  if (errors.length > 0) throw invalid('INVALID_BODY', errors);
}
