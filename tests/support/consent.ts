import type { TestSession } from '@plat/server/testing';
import { expect } from 'vitest';
import { visit } from './oauth.ts';

/**
 * Opens an authorization request as a signed-in owner's browser does, answers the question by its form, and resolves to
 * where the browser is sent.
 */
export async function decideConsent(
  url: string,
  { cookie }: TestSession,
  decision: 'allow' | 'deny' = 'allow',
): Promise<string> {
  const question = await visit(url, { cookie });
  expect(question.status, question.text).toBe(200);
  const [, action = ''] = /<form method="post" action="([^"]*decision)"/.exec(question.text) ?? [];
  const hidden = [...question.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  const form = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, unescapeHtml(value)]));
  const answer = await visit(new URL(action, url).href, { cookie, form: { ...form, decision } });
  expect(answer.status, answer.text).toBe(303);
  return answer.location ?? '';
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function unescapeHtml(text: string): string {
  return text.replace(/&(#?\w+);/g, (all, name: string) => CHARACTERS[name] ?? all);
}
