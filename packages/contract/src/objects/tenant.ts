/** The values of a tenant's `status`. */
export const TENANT_STATUSES = ['active', 'suspended'] as const;
export type TenantStatus = (typeof TENANT_STATUSES)[number];

/** The tenant that a credential belongs to. */
export interface Tenant {
  readonly object: 'tenant';
  readonly id: string;
  readonly name: string;
  readonly status: TenantStatus;
  readonly plan_id: string | null;
  /** Whether a developer owns it, for trying things out. */
  readonly sandbox: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface TenantUpdateParams {
  readonly name?: string;
}
