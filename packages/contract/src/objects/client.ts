/** The values of a client's `status`. */
export const CLIENT_STATUSES = ['active', 'inactive'] as const;
