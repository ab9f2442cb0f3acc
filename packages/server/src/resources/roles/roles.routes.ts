import { type Route, route } from '../../http/route.ts';
import { createRole, getRole, listRoles, updateRole } from './roles.service.ts';

export const roleRoutes: readonly Route[] = [
  route('roles.list', { handle: (ctx, { query }) => listRoles(ctx, query) }),
  route('roles.create', {
    handle: (ctx, { body }) => createRole(ctx, body),
  }),
  route('roles.get', {
    handle: (ctx, { path }) => getRole(ctx, path.role_id),
  }),
  route('roles.update', {
    handle: (ctx, { path, body }) => updateRole(ctx, path.role_id, body),
  }),
];
