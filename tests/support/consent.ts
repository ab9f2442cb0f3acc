import type { TestSession } from '@plat/server/testing';
import { expect } from 'vitest';
import { visit } from './oauth.ts';

/**
 * Opens an authorization request in a signed-in owner's browser and submits the consent form. Resolves to the redirect
 * URL.
 */
export async function decideConsent(
  url: string,
  session: TestSession,
  decision: 'allow' | 'deny' = 'allow',
): Promise<string> {
  const { action, form } = await consentForm(url, session);
  const answer = await visit(action, { cookie: session.cookie, form: { ...form, decision } });
  expect(answer.status, answer.text).toBe(303);
  return answer.location ?? '';
}

/** Opens an authorization request in a signed-in owner's browser and returns the consent form. */
export async function consentForm(
  url: string,
  { cookie }: TestSession,
): Promise<{ readonly action: string; readonly form: Readonly<Record<string, string>> }> {
  const question = await visit(url, { cookie });
  expect(question.status, question.text).toBe(200);
  const [, action = '', content = ''] =
    /<form method="post" action="([^"]*decision)">(.*?)<\/form>/s.exec(question.text) ?? [];
  const hidden = [...content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  const form = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, unescapeHtml(value)]));
  return { action: new URL(action, url).href, form };
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

export function unescapeHtml(text: string): string {
  return text.replace(/&(#?\w+);/g, (all, name: string) => CHARACTERS[name] ?? all);
}
