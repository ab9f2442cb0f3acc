import { expect, test } from 'vitest';
import { ACCESS } from './access.ts';
import { rolesInWords } from './roles-here.ts';

test('the pages of each role follow from the table of access', () => {
  expect(rolesInWords(ACCESS)).toBe(
    'In the console, owners have every page. Members read all but Audit, API key, Apps with access and Billing. Other roles have Overview and Modules.',
  );
  const { audit, groups } = ACCESS;
  const members = { ...ACCESS, audit: { ...audit, member: 'read' }, groups: { ...groups, member: 'change' } } as const;
  expect(rolesInWords(members)).toContain('Members have all but API key, Apps with access and Billing. ');
  const viewers = { ...ACCESS, groups: { ...groups, viewer: 'read' } } as const;
  expect(rolesInWords(viewers)).toContain('Viewers have Overview, Groups and Modules. Other roles have Overview and ');
  expect(rolesInWords({ ...ACCESS, groups: { ...groups, owner: 'none' } })).toContain('owners have all but Groups. ');
});
