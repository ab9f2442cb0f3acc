import { expect, test } from 'vitest';
import { createVerifier, WebhookVerificationError } from './index.ts';
import { createVectors } from './vectors.fixture.ts';
import { createVerifier as createWebVerifier } from './web.ts';

const vectors = createVectors();

test('vectors.json is what this file creates: npx vitest run packages/webhooks/src/vectors.test.ts -u', async () => {
  const names = vectors.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  await expect(`${JSON.stringify({ tolerance: 300, vectors }, null, 2)}\n`).toMatchFileSnapshot('../vectors.json');
});

test.each(vectors)('$name: $reason', async ({ secrets, now, signature, body, accepted }) => {
  const options = { secrets, now: () => now * 1000 };
  const headers = signature === null ? {} : { 'x-platform-signature': signature };
  const bytes = Buffer.from(body, 'base64');
  const decide = async (verify: () => number | Promise<number>): Promise<boolean> => {
    try {
      await verify();
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(WebhookVerificationError);
      return false;
    }
  };
  expect(await decide(() => createVerifier(options).verifySignature(bytes, headers))).toBe(accepted);
  expect(await decide(() => createWebVerifier(options).verifySignature(bytes, headers))).toBe(accepted);
});
