/** Days between the command that deletes a tenant and the deletion of its rows. */
export const GRACE_DAYS = 30;
