/**
 * Returns the reason why the `state` of an authorization request is refused; null if it can be sent back unchanged. Control
 * characters are outside the grammar of RFC 6749 (appendix A.5), and browsers post a line break of a form as CR LF. A decoder
 * writes U+FFFD in place of bytes that are not UTF-8.
 */
export function stateProblem(state: string): string | null {
  if (/\p{Cc}/u.test(state)) return 'must not have control characters';
  return state.includes('\ufffd') ? 'must be percent-encoded UTF-8' : null;
}
