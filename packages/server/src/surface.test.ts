import { expect, test } from 'vitest';
import { accountRoutes } from './developer/account.routes.ts';
import { appRoutes } from './developer/apps.routes.ts';
import { consentRoutes } from './developer/consents.routes.ts';
import { ROUTES } from './resources/index.ts';

test('every list in the body of an operation has a highest number of items', () => {
  const unbounded = [...ROUTES, ...accountRoutes, ...appRoutes, ...consentRoutes].filter(({ body, query }) =>
    [body, query].some((schema) => hasUnboundedList(schema)),
  );
  expect(unbounded.map(({ name }) => name)).toEqual([]);
});

/** Finds nested lists too, as in `allOf` and `oneOf`. */
function hasUnboundedList(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return false;
  if ('type' in json && [json.type].flat().includes('array') && !('maxItems' in json)) return true;
  return Object.values(json).some(hasUnboundedList);
}
