/** A module of the platform, the same for every tenant. */
export interface Module {
  readonly object: 'module';
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Ids of what the module can do; plans and roles refer to them. */
  readonly capabilities: readonly string[];
  /** Where a launch posts its token to. */
  readonly launch_url: string | null;
  /** `aud` of the launch tokens for this module. */
  readonly audience: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export const PLAN_INTERVALS = ['month', 'year'] as const;
export type PlanInterval = (typeof PLAN_INTERVALS)[number];

/** A plan of the platform, the same for every tenant. */
export interface Plan {
  readonly object: 'plan';
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** ISO 4217, for example `EUR`. */
  readonly currency: string;
  /** Price of one interval in minor units, for example cents. */
  readonly amount: number;
  readonly interval: PlanInterval;
  /** Ids of the capabilities that a tenant on this plan has. */
  readonly capabilities: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}
