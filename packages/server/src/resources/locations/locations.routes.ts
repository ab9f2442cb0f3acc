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

export const locationRoutes: readonly Route[] = [
  route('clients.locations.list', {
    handle: (ctx, { path, query }) => listLocations(ctx, client(path), query),
  }),
  route('clients.locations.create', {
    handle: (ctx, { path, body }) => createLocation(ctx, client(path), body),
  }),
  route('clients.locations.get', {
    handle: (ctx, { path }) => getLocation(ctx, client(path), path.location_id),
  }),
  route('clients.locations.update', {
    handle: (ctx, { path, body }) => updateLocation(ctx, client(path), path.location_id, body),
  }),
  route('clients.locations.delete', {
    handle: (ctx, { path }) => deleteLocation(ctx, client(path), path.location_id),
  }),

  route('groups.locations.list', {
    handle: (ctx, { path, query }) => listLocations(ctx, group(path), query),
  }),
  route('groups.locations.create', {
    handle: (ctx, { path, body }) => createLocation(ctx, group(path), body),
  }),
  route('groups.locations.get', {
    handle: (ctx, { path }) => getLocation(ctx, group(path), path.location_id),
  }),
  route('groups.locations.update', {
    handle: (ctx, { path, body }) => updateLocation(ctx, group(path), path.location_id, body),
  }),
  route('groups.locations.delete', {
    handle: (ctx, { path }) => deleteLocation(ctx, group(path), path.location_id),
  }),
];
