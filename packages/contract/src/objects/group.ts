/** The values of a group's `membership_policy`. The API can add and remove members under every policy. */
export const MEMBERSHIP_POLICIES = ['open', 'invite_only', 'closed'] as const;

/** The values of a group owner's `status`. */
export const GROUP_OWNER_STATUSES = ['invited', 'active'] as const;
