import { type Route, route } from '../../http/route.ts';
import { createRole, getRole, listRoles, updateRole } from './roles.service.ts';

export const roleRoutes: readonly Route[] = [
  route('roles.list', { handle: (ctx, { query }) => listRoles(ctx, query) }),
  route('roles.create', {
    errors: ['ROLE_NAME_IN_USE', 'QUOTA_EXCEEDED'],
    handle: (ctx, { body }) => createRole(ctx, body),
  }),
  route('roles.get', {
    errors: ['ROLE_NOT_FOUND'],
    handle: (ctx, { path }) => getRole(ctx, path.role_id),
  }),
  route('roles.update', {
    errors: ['ROLE_NOT_FOUND', 'ROLE_BUILT_IN'],
    handle: (ctx, { path, body }) => updateRole(ctx, path.role_id, body),
  }),
];
