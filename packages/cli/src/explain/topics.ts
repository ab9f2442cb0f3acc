import {
  ALL_APP_EVENT_TYPES,
  ALL_EVENT_TYPES,
  ALL_SCOPES,
  APP_EVENT_TYPES,
  type AppEventType,
  commandWords,
  ERROR_CODES,
  type ErrorCodeInfo,
  EVENT_TYPES,
  type EventType,
  isAppEventType,
  isErrorCode,
  isEventType,
  isScope,
  OPERATION_NAMES,
  OPERATIONS,
  type OperationInfo,
  SCOPES,
  type Scope,
} from '@plat/contract';
import {
  DELIVERY_ERROR_REFERENCE,
  type DeliveryProblemCode,
  ERROR_REFERENCE,
  type ErrorExplanation,
} from '@plat/contract/error-reference';
import { LAUNCH_TOKEN_CODES } from '@plat/launch-token';
import { VERIFICATION_CODES } from '@plat/webhooks';
import { SAMPLE_APP_PAYLOADS, SAMPLE_PAYLOADS } from '@plat/webhooks/testing';
import { EXIT_CODES } from '../errors/exit-codes.ts';
import { EXIT_OF_ERROR_CODE } from '../errors/exit-of-error-code.ts';
import { OWN_ERRORS, type OwnError } from '../errors/own-errors.ts';
import { markdownAsText } from '../terminal/markdown-as-text.ts';
import type { JsonObject } from '../terminal/value.ts';
import { CAUSES } from '../trigger/causes.ts';

/** Every name that can be explained. */
export const EXPLAINED: readonly string[] = [
  ...new Set([
    ...Object.keys(ERROR_CODES),
    ...Object.keys(OWN_ERRORS),
    ...Object.keys(VERIFICATION_CODES),
    ...Object.keys(LAUNCH_TOKEN_CODES),
    ...Object.keys(DELIVERY_ERROR_REFERENCE),
    ...ALL_EVENT_TYPES,
    ...ALL_APP_EVENT_TYPES,
    ...ALL_SCOPES,
  ]),
];

/** Returns the explanation of one of {@link EXPLAINED}. */
export function explanationOf(name: string): JsonObject {
  if (isErrorCode(name)) {
    const { status, general }: ErrorCodeInfo = ERROR_CODES[name];
    const exit_code = EXIT_OF_ERROR_CODE[name];
    return {
      object: 'error_code',
      code: name,
      from: 'the API',
      status,
      general,
      exit_code,
      ...forTerminal(ERROR_REFERENCE[name]),
    };
  }
  if (isEventType(name)) return eventType(name);
  if (isAppEventType(name)) return appEventType(name);
  if (isScope(name)) return scope(name);
  if (isDelivery(name))
    return { object: 'delivery_error', class: name, ...forTerminal(DELIVERY_ERROR_REFERENCE[name]) };
  if (isOwn(name)) {
    const own: OwnError = OWN_ERRORS[name];
    return { object: 'error_code', code: name, from: 'plat', exit_code: EXIT_CODES[own.exit], ...forTerminal(own) };
  }
  const exit_code = EXIT_CODES.checkFailed;
  if (isLaunch(name) && !isVerification(name)) {
    return {
      object: 'error_code',
      code: name,
      from: 'plat launch verify, @plat/launch-token',
      exit_code,
      cause: LAUNCH_TOKEN_CODES[name].sentence,
      fix: 'Run plat launch verify: it shows what is wrong with the token and the likely reason.',
    };
  }
  return {
    object: 'error_code',
    code: name,
    from: 'plat webhooks verify, @plat/webhooks',
    exit_code,
    cause: isVerification(name) ? VERIFICATION_CODES[name] : '',
    fix: 'Run plat webhooks verify: it shows what is wrong with the delivery and the likely reason.',
  };
}

function eventType(name: EventType): JsonObject {
  const cause = CAUSES[name];
  return {
    object: 'event_type',
    type: name,
    fires: EVENT_TYPES[name],
    data: SAMPLE_PAYLOADS[name].object,
    operations: commandsWhere(({ emits }) => emits.includes(name)),
    trigger: 'why' in cause ? `plat trigger ${name} --raw --to <url> (${cause.why})` : `plat trigger ${name}`,
  };
}

function appEventType(name: AppEventType): JsonObject {
  return {
    object: 'event_type',
    type: name,
    fires: APP_EVENT_TYPES[name],
    data: SAMPLE_APP_PAYLOADS[name].object,
    endpoints: `those of the app: plat apps webhooks endpoints create <app_id> --events ${name} --url <url>`,
    trigger: `plat trigger ${name} --raw --to <url> (${CAUSES[name].why})`,
  };
}

function scope(name: Scope): JsonObject {
  const operations = commandsWhere((operation) => operation.scope === name);
  return {
    object: 'scope',
    scope: name,
    allows: SCOPES[name],
    operations,
    note:
      operations.length > 0
        ? 'Write does not include read. plat me shows the scopes of the current key.'
        : 'No command needs it: plat me works with every key.',
  };
}

/** Returns the commands of the matching operations. */
function commandsWhere(isMeant: (operation: OperationInfo) => boolean): readonly string[] {
  return OPERATION_NAMES.filter((name) => isMeant(OPERATIONS[name])).map(
    (name) => `plat ${commandWords(name).join(' ')}`,
  );
}

/** Texts of the reference as a terminal shows them. */
function forTerminal({
  cause,
  fix,
}: Pick<ErrorExplanation<string>, 'cause' | 'fix'>): Readonly<Record<'cause' | 'fix', string>> {
  return { cause: markdownAsText(cause), fix: markdownAsText(fix) };
}

function isOwn(name: string): name is keyof typeof OWN_ERRORS {
  return Object.hasOwn(OWN_ERRORS, name);
}

function isDelivery(name: string): name is DeliveryProblemCode {
  return Object.hasOwn(DELIVERY_ERROR_REFERENCE, name);
}

function isVerification(name: string): name is keyof typeof VERIFICATION_CODES {
  return Object.hasOwn(VERIFICATION_CODES, name);
}

function isLaunch(name: string): name is keyof typeof LAUNCH_TOKEN_CODES {
  return Object.hasOwn(LAUNCH_TOKEN_CODES, name);
}
