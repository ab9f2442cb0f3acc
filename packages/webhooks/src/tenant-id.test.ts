import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readUnverifiedTenantId } from './tenant-id.ts';

const tenantId = fc.stringMatching(/^tnt_[A-Za-z0-9_-]{1,124}$/);

/** Text that could mislead the scanner. */
const tricky = fc
  .array(
    fc.constantFrom('"', '\\', '{', '}', '[', ']', ':', ',', 'tenant_id', '"tenant_id":"tnt_x"', ' ', 'é', '\u2028'),
  )
  .map((parts) => parts.join(''));

test('the scanner finds the same tenant_id as JSON.parse in any JSON object', () => {
  const value = fc.oneof(tricky, fc.jsonValue(), fc.record({ tenant_id: tricky }), fc.array(tricky));
  const members = fc.uniqueArray(fc.tuple(tricky, value), { selector: ([name]) => name });
  fc.assert(
    fc.property(members, members, tenantId, fc.boolean(), (before, after, id, spaced) => {
      const others = (list: typeof before) => list.filter(([name]) => name !== 'tenant_id' && name !== '__proto__');
      const event = Object.fromEntries([...others(before), ['tenant_id', id], ...others(after)]);
      const text = JSON.stringify(event, null, spaced ? '\t' : undefined);
      expect(readUnverifiedTenantId(text)).toBe(id);
      expect(readUnverifiedTenantId(Buffer.from(text))).toBe(id);
    }),
  );
});

test('any other text yields a tnt_ id or a refusal', () => {
  fc.assert(
    fc.property(fc.oneof(tricky, fc.string({ unit: 'binary' })), (text) => {
      try {
        expect(readUnverifiedTenantId(text)).toMatch(/^tnt_[A-Za-z0-9_-]+$/);
      } catch (error) {
        expect(error).toMatchObject({ code: 'BODY_NOT_EVENT' });
      }
    }),
  );
});

test('any forged body costs one pass', () => {
  const size = 200_000;
  for (const part of ['[', '{"a":', '"', '\\', '"\\', '\\"', '"tenant_id":', '"tenant_id" ', ' ']) {
    const text = `{"a":"${part.repeat(size)}`;
    expect(() => readUnverifiedTenantId(text)).toThrow();
    expect(() => readUnverifiedTenantId(part.repeat(size))).toThrow();
  }
});
