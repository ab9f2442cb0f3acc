import { LIMITS } from '@plat/contract';
import { suggestions } from '../resources/trace/suggestions.ts';
import type { PageRoute } from './page-route.ts';
import { JUMP_PATH } from './places.ts';

/** Suggestions of the jump box, for the script. They lead to the same traces as the box itself. */
export const suggestionRoutes: readonly PageRoute[] = [
  {
    room: 'trace',
    method: 'GET',
    path: `${JUMP_PATH.admin}/suggestions`,
    answers: 'json',
    async handle({ ctx, query }) {
      return { json: await suggestions(ctx, (query['q'] ?? '').trim().slice(0, LIMITS.email.max)) };
    },
  },
];
