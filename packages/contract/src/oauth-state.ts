/**
 * Returns the reason why the `state` of an authorization request is refused; null if it can be sent back unchanged. Control
 * characters are outside the grammar of RFC 6749 (appendix A.5), and browsers post a line break of a form as CR LF.
 */
export function stateProblem(state: string): string | null {
  return /\p{Cc}/u.test(state) ? 'must not have control characters' : null;
}
