import { OPERATIONS } from '@plat/contract';
import type { Route } from '../http/route.ts';
import { FAMILY_ROUTES } from './registry.ts';

const ORDER = Object.keys(OPERATIONS);

/** Every route of /v1, in the order of the contract. */
export const ROUTES: readonly Route[] = [...FAMILY_ROUTES].sort(
  (a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name),
);
