/** The values of a user's `status`. */
export const USER_STATUSES = ['invited', 'active', 'suspended'] as const;
