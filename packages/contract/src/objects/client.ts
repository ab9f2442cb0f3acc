import type { ListParams } from './list.ts';

/** The values of a client's `status`. */
export const CLIENT_STATUSES = ['active', 'inactive'] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

/** A tier-2 customer of the tenant (specification, client object). */
export interface Client {
  readonly object: 'client';
  readonly id: string;
  readonly name: string;
  readonly status: ClientStatus;
  /** Unique within the tenant. */
  readonly slug: string;
  /** Unique across the service; null when unset. */
  readonly custom_domain: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ClientCreateParams {
  readonly name: string;
  /** Lower-case letters, digits and single hyphens. Made from the name, and made unique, when absent. */
  readonly slug?: string;
}

/** Fields to change. `domain` and `custom_domain` are the same field; give one of them. */
export interface ClientUpdateParams {
  readonly name?: string;
  readonly status?: ClientStatus;
  readonly slug?: string;
  readonly domain?: string | null;
  readonly custom_domain?: string | null;
}

export interface ClientListParams extends ListParams {
  readonly status?: ClientStatus;
  readonly slug?: string;
}
