import { expect, test } from 'vitest';
import { maskSecrets } from './secrets.ts';

test.each([
  ...['plat_live_', 'plat_test_', 'plat_at_', 'plat_rt_', 'plat_ac_', 'plat_cs_'],
  ...['plat_dv_', 'plat_dc_', 'plat_sl_', 'plat_inv_', 'whsec_'],
])('a secret with the prefix %s is redacted to it, also behind other text', (prefix) => {
  const secret = `${prefix}0a-B_`;
  expect(maskSecrets(`?token=${secret}&x=1 x${secret}`)).toBe(`?token=${prefix}…&x=1 x${prefix}…`);
});
