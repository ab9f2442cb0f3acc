/** The values of a tenant's `status`. */
export const TENANT_STATUSES = ['active', 'suspended'] as const;
