import { type Route, route } from '../../http/route.ts';
import {
  createLocation,
  deleteLocation,
  getLocation,
  listLocations,
  type Owner,
  updateLocation,
} from './locations.service.ts';

const client = (path: { readonly client_id: string }): Owner => ({ kind: 'client', id: path.client_id });
const group = (path: { readonly group_id: string }): Owner => ({ kind: 'group', id: path.group_id });
const GUARDS = ['LAST_LOCATION_PROTECTED', 'DEFAULT_LOCATION_PROTECTED', 'LOCATION_IN_USE'] as const;

export const locationRoutes: readonly Route[] = [
  route('clients.locations.list', {
    errors: ['CLIENT_NOT_FOUND'],
    handle: (ctx, { path, query }) => listLocations(ctx, client(path), query),
  }),
  route('clients.locations.create', {
    errors: ['CLIENT_NOT_FOUND', 'QUOTA_EXCEEDED'],
    handle: (ctx, { path, body }) => createLocation(ctx, client(path), body),
  }),
  route('clients.locations.get', {
    errors: ['CLIENT_NOT_FOUND', 'LOCATION_NOT_FOUND'],
    handle: (ctx, { path }) => getLocation(ctx, client(path), path.location_id),
  }),
  route('clients.locations.update', {
    errors: ['CLIENT_NOT_FOUND', 'LOCATION_NOT_FOUND', 'DEFAULT_LOCATION_PROTECTED'],
    handle: (ctx, { path, body }) => updateLocation(ctx, client(path), path.location_id, body),
  }),
  route('clients.locations.delete', {
    errors: ['CLIENT_NOT_FOUND', 'LOCATION_NOT_FOUND', ...GUARDS],
    handle: (ctx, { path }) => deleteLocation(ctx, client(path), path.location_id),
  }),

  route('groups.locations.list', {
    errors: ['GROUP_NOT_FOUND'],
    handle: (ctx, { path, query }) => listLocations(ctx, group(path), query),
  }),
  route('groups.locations.create', {
    errors: ['GROUP_NOT_FOUND', 'QUOTA_EXCEEDED'],
    handle: (ctx, { path, body }) => createLocation(ctx, group(path), body),
  }),
  route('groups.locations.get', {
    errors: ['GROUP_NOT_FOUND', 'LOCATION_NOT_FOUND'],
    handle: (ctx, { path }) => getLocation(ctx, group(path), path.location_id),
  }),
  route('groups.locations.update', {
    errors: ['GROUP_NOT_FOUND', 'LOCATION_NOT_FOUND', 'DEFAULT_LOCATION_PROTECTED'],
    handle: (ctx, { path, body }) => updateLocation(ctx, group(path), path.location_id, body),
  }),
  route('groups.locations.delete', {
    errors: ['GROUP_NOT_FOUND', 'LOCATION_NOT_FOUND', ...GUARDS],
    handle: (ctx, { path }) => deleteLocation(ctx, group(path), path.location_id),
  }),
];
