import type { Client, ClientCreateParams, ClientListParams, ClientUpdateParams, Deleted } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions, WriteOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';
import type { Locations } from './locations.ts';
import type { ListOptions } from './operation-method.ts';

/** Clients: the tier-2 customers of the tenant. */
export interface Clients {
  /** The locations of a client; `ownerId` is the id of the client. */
  readonly locations: Locations;
  /** Lists clients, newest first. Scope `clients:read`. @throws ApiError `INVALID_CURSOR`, `INVALID_REQUEST` */
  list(params?: ClientListParams, options?: ListOptions): ListCall<Client>;
  /**
   * Creates a client. Without a slug, it is derived from the name. Scope `clients:write`. Emits `client.created`.
   * @throws ApiError `SLUG_IN_USE`, `QUOTA_EXCEEDED`
   */
  create(params: ClientCreateParams, options?: WriteOptions): ApiCall<Client>;
  /** Shows a client. Scope `clients:read`. @throws ApiError `CLIENT_NOT_FOUND` */
  get(id: string, options?: CallOptions): ApiCall<Client>;
  /**
   * Changes the given fields; null clears the domain. Scope `clients:write`. Emits `client.updated`.
   * @throws ApiError `CLIENT_NOT_FOUND`, `SLUG_IN_USE`, `DOMAIN_IN_USE`
   */
  update(id: string, params: ClientUpdateParams, options?: CallOptions): ApiCall<Client>;
  /**
   * Deletes a client and frees its slug and domain. Scope `clients:write`. Emits `client.deleted`. If the response of
   * the first attempt was lost, the retry finds no client: a CLIENT_NOT_FOUND with `attempts` above 1 can mean success.
   * @throws ApiError `CLIENT_NOT_FOUND`
   */
  delete(id: string, options?: CallOptions): ApiCall<Deleted<'client'>>;
}
