import type { RevokedReason } from '@plat/contract';

/** Returns true for a grant that was revoked because its code or one of its tokens was used twice. */
export function isReuse(reason: RevokedReason | null): boolean {
  return reason === 'code_reused' || reason === 'refresh_token_reused';
}
