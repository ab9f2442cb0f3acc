import type { Deleted, ListParams, Location, LocationCreateParams, LocationUpdateParams } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions, WriteOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';
import type { ListOptions } from './operation-method.ts';

/**
 * The locations of a client or a group, whose id is the first argument. Exactly one location of each is its default.
 */
export interface Locations {
  /**
   * Lists locations, newest first. Scope `locations:read`.
   * @throws ApiError `CLIENT_NOT_FOUND` or `GROUP_NOT_FOUND`, `INVALID_CURSOR`
   */
  list(ownerId: string, params?: ListParams, options?: ListOptions): ListCall<Location>;
  /**
   * Creates a location. The first one becomes the default. `default: true` moves the flag from the current default.
   * Scope `locations:write`. Emits `location.created`, and `location.updated` for the previous default.
   * @throws ApiError `CLIENT_NOT_FOUND` or `GROUP_NOT_FOUND`, `QUOTA_EXCEEDED`
   */
  create(ownerId: string, params: LocationCreateParams, options?: WriteOptions): ApiCall<Location>;
  /**
   * Shows a location. Scope `locations:read`.
   * @throws ApiError `CLIENT_NOT_FOUND` or `GROUP_NOT_FOUND`, `LOCATION_NOT_FOUND`
   */
  get(ownerId: string, locationId: string, options?: CallOptions): ApiCall<Location>;
  /**
   * Changes the given fields; null clears the address. `default: true` moves the flag from the current default. Scope
   * `locations:write`. Emits `location.updated`, for both locations if the flag moves.
   * @throws ApiError `CLIENT_NOT_FOUND` or `GROUP_NOT_FOUND`, `LOCATION_NOT_FOUND`, `DEFAULT_LOCATION_PROTECTED`: the
   * flag is moved, never cleared
   */
  update(ownerId: string, locationId: string, params: LocationUpdateParams, options?: CallOptions): ApiCall<Location>;
  /**
   * Deletes a location. It must not be the last one or the default, and must have no users. Scope `locations:write`.
   * Emits `location.deleted`.
   * @throws ApiError `CLIENT_NOT_FOUND` or `GROUP_NOT_FOUND`, `LOCATION_NOT_FOUND`, `LAST_LOCATION_PROTECTED`,
   * `DEFAULT_LOCATION_PROTECTED`, `LOCATION_IN_USE`
   */
  delete(ownerId: string, locationId: string, options?: CallOptions): ApiCall<Deleted<'location'>>;
}
