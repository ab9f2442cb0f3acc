import { LIMITS } from '@plat/contract';

/** Whether a text is one mail address and nothing that a header could take for more: no name, list, quote or control. */
export function isMailAddress(text: string): boolean {
  return text.length <= LIMITS.email.max && /^[^\s\p{Cc}<>()[\],;:"\\@]+@[^\s\p{Cc}<>(),;"\\@]+$/u.test(text);
}
