import { type Route, route } from '../../http/route.ts';
import {
  createUser,
  deactivateUser,
  deleteUser,
  getUser,
  listUsers,
  resendInvitation,
  updateUser,
} from './users.service.ts';

export const userRoutes: readonly Route[] = [
  route('users.list', { handle: (ctx, { query }) => listUsers(ctx, query) }),
  route('users.create', {
    errors: [
      'ROLE_NOT_FOUND',
      'CLIENT_NOT_FOUND',
      'LOCATION_NOT_FOUND',
      'UNPROCESSABLE',
      'EMAIL_IN_USE',
      'OAUTH_CANNOT_MANAGE_OWNERS',
      'QUOTA_EXCEEDED',
      'MAIL_LIMIT_REACHED',
    ],
    handle: (ctx, { body }) => createUser(ctx, body),
  }),
  route('users.get', {
    errors: ['USER_NOT_FOUND'],
    handle: (ctx, { path }) => getUser(ctx, path.user_id),
  }),
  route('users.update', {
    errors: [
      'USER_NOT_FOUND',
      'ROLE_NOT_FOUND',
      'CLIENT_NOT_FOUND',
      'LOCATION_NOT_FOUND',
      'UNPROCESSABLE',
      'LAST_OWNER_PROTECTED',
      'OAUTH_CANNOT_MANAGE_OWNERS',
    ],
    handle: (ctx, { path, body }) => updateUser(ctx, path.user_id, body),
  }),
  route('users.invite', {
    errors: ['USER_NOT_FOUND', 'USER_NOT_INVITED', 'OAUTH_CANNOT_MANAGE_OWNERS', 'MAIL_LIMIT_REACHED'],
    handle: (ctx, { path }) => resendInvitation(ctx, path.user_id),
  }),
  route('users.deactivate', {
    errors: ['USER_NOT_FOUND', 'UNPROCESSABLE', 'LAST_OWNER_PROTECTED', 'OAUTH_CANNOT_MANAGE_OWNERS'],
    handle: (ctx, { path }) => deactivateUser(ctx, path.user_id),
  }),
  route('users.delete', {
    errors: ['USER_NOT_FOUND', 'USER_NOT_DELETABLE', 'OAUTH_CANNOT_MANAGE_OWNERS'],
    handle: (ctx, { path }) => deleteUser(ctx, path.user_id),
  }),
];
