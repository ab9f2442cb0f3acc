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
    handle: (ctx, { body }) => createUser(ctx, body),
  }),
  route('users.get', {
    handle: (ctx, { path }) => getUser(ctx, path.user_id),
  }),
  route('users.update', {
    handle: (ctx, { path, body }) => updateUser(ctx, path.user_id, body),
  }),
  route('users.invite', {
    handle: (ctx, { path }) => resendInvitation(ctx, path.user_id),
  }),
  route('users.deactivate', {
    handle: (ctx, { path }) => deactivateUser(ctx, path.user_id),
  }),
  route('users.delete', {
    handle: (ctx, { path }) => deleteUser(ctx, path.user_id),
  }),
];
