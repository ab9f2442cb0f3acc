import { expect, test } from 'vitest';
import { accountRoutes } from './developer/account.routes.ts';
import { appRoutes } from './developer/apps.routes.ts';
import { consentRoutes } from './developer/consents.routes.ts';
import { SURFACE } from './surface.ts';

test('every list in the body of an operation has a highest number of items', () => {
  const unbounded = [...SURFACE.routes, ...accountRoutes, ...appRoutes, ...consentRoutes].filter(({ body, query }) =>
    [body, query].some((rule) => rule && hasUnboundedList(rule.json)),
  );
  expect(unbounded.map(({ name }) => name)).toEqual([]);
});

/** Also where a rule is within others, as in `allOf` and `oneOf`. */
function hasUnboundedList(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return false;
  if ('type' in json && [json.type].flat().includes('array') && !('maxItems' in json)) return true;
  return Object.values(json).some(hasUnboundedList);
}
