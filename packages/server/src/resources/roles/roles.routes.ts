import { type Route, route } from '../../http/route.ts';
import { role, roleCreate, roleList, roleUpdate } from './roles.schemas.ts';
import { createRole, getRole, listRoles, updateRole } from './roles.service.ts';

export const roleRoutes: readonly Route[] = [
  route('roles.list', { query: roleList, response: role, handle: (ctx, { query }) => listRoles(ctx, query) }),
  route('roles.create', {
    body: roleCreate,
    response: role,
    errors: ['ROLE_NAME_IN_USE', 'QUOTA_EXCEEDED'],
    handle: (ctx, { body }) => createRole(ctx, body),
  }),
  route('roles.get', {
    response: role,
    errors: ['ROLE_NOT_FOUND'],
    handle: (ctx, { path }) => getRole(ctx, path.role_id),
  }),
  route('roles.update', {
    body: roleUpdate,
    response: role,
    errors: ['ROLE_NOT_FOUND', 'ROLE_BUILT_IN'],
    handle: (ctx, { path, body }) => updateRole(ctx, path.role_id, body),
  }),
];
