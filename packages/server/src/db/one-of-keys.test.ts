import { Op } from 'sequelize';
import { expect, test } from 'vitest';
import { oneOfKeys } from './one-of-keys.ts';

test('keys that differ in their last column only are one list', () => {
  const keys = [
    { tenant_id: 'tnt_1', group_id: 'grp_1', user_id: 'usr_1' },
    { tenant_id: 'tnt_1', group_id: 'grp_1', user_id: 'usr_2' },
    { tenant_id: 'tnt_1', group_id: 'grp_2', user_id: 'usr_1' },
  ];
  expect(oneOfKeys(keys, ['tenant_id', 'group_id', 'user_id'])).toEqual({
    [Op.or]: [
      { tenant_id: 'tnt_1', group_id: 'grp_1', user_id: ['usr_1', 'usr_2'] },
      { tenant_id: 'tnt_1', group_id: 'grp_2', user_id: ['usr_1'] },
    ],
  });
});

test('keys of one column are one list', () => {
  expect(oneOfKeys([{ id: 'tok_1' }, { id: 'tok_2' }], ['id'])).toEqual({ [Op.or]: [{ id: ['tok_1', 'tok_2'] }] });
});
