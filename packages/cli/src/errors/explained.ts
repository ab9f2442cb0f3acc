import { ALL_APP_EVENT_TYPES, ALL_EVENT_TYPES, ALL_SCOPES, ERROR_CODES } from '@plat/contract';
import { DELIVERY_ERROR_REFERENCE } from '@plat/contract/error-reference';
import { LAUNCH_TOKEN_ERRORS, SDK_ERRORS, WEBHOOK_ERRORS } from './library-errors.ts';
import { OWN_ERRORS } from './own-errors.ts';

/** Every name that `plat explain` explains. */
export const EXPLAINED: readonly string[] = [
  ...new Set([
    ...Object.keys(ERROR_CODES),
    ...Object.keys(OWN_ERRORS),
    ...Object.keys(SDK_ERRORS),
    ...Object.keys(WEBHOOK_ERRORS),
    ...Object.keys(LAUNCH_TOKEN_ERRORS),
    ...Object.keys(DELIVERY_ERROR_REFERENCE),
    ...ALL_EVENT_TYPES,
    ...ALL_APP_EVENT_TYPES,
    ...ALL_SCOPES,
  ]),
];
