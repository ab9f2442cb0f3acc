/** The values of a plan's `interval`. */
export const PLAN_INTERVALS = ['month', 'year'] as const;
