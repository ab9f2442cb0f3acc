/** The tenant that a credential belongs to. */
export interface Tenant {
  readonly object: 'tenant';
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  readonly plan_id: string | null;
  /** Whether a developer owns it, for trying things out. */
  readonly sandbox: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}
