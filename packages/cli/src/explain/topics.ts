import {
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
import { DELIVERY_ERROR_REFERENCE, ERROR_REFERENCE, type ErrorExplanation } from '@plat/contract/error-reference';
import { LAUNCH_TOKEN_CODES } from '@plat/launch-token';
import { VERIFICATION_CODES } from '@plat/webhooks';
import { SAMPLE_APP_PAYLOADS, SAMPLE_PAYLOADS } from '@plat/webhooks/testing';
import { EXIT_CODES } from '../errors/exit-codes.ts';
import { EXIT_OF_ERROR_CODE } from '../errors/exit-of-error-code.ts';
import { LAUNCH_TOKEN_ERRORS, SDK_ERRORS, WEBHOOK_ERRORS } from '../errors/library-errors.ts';
import { CONNECTION_ERRORS, OWN_ERRORS, type OwnError } from '../errors/own-errors.ts';
import { markdownAsText } from '../terminal/markdown-as-text.ts';
import type { JsonObject } from '../terminal/value.ts';
import { CAUSES } from '../trigger/causes.ts';

/** Returns the explanations of one of `EXPLAINED`: several for a code that several programs use. */
export function explanationsOf(name: string): readonly JsonObject[] {
  if (isEventType(name)) return [eventType(name)];
  if (isAppEventType(name)) return [appEventType(name)];
  if (isScope(name)) return [scope(name)];
  if (isKey(DELIVERY_ERROR_REFERENCE, name)) {
    return [{ object: 'delivery_error', class: name, ...forTerminal(DELIVERY_ERROR_REFERENCE[name]) }];
  }
  return [ofApi(name), ofPlat(name), ofSdk(name), ofWebhooks(name), ofLaunchToken(name)].flat();
}

function ofApi(code: string): readonly JsonObject[] {
  if (!isErrorCode(code)) return [];
  const { status, general }: ErrorCodeInfo = ERROR_CODES[code];
  const exit_code = EXIT_OF_ERROR_CODE[code];
  return [
    { object: 'error_code', code, from: 'the API', status, general, exit_code, ...forTerminal(ERROR_REFERENCE[code]) },
  ];
}

function ofPlat(code: string): readonly JsonObject[] {
  if (!isKey(OWN_ERRORS, code)) return [];
  const own: OwnError = OWN_ERRORS[code];
  const from = isKey(CONNECTION_ERRORS, code) ? 'plat, @plat/sdk' : 'plat';
  return [{ object: 'error_code', code, from, exit_code: EXIT_CODES[own.exit], ...forTerminal(own) }];
}

function ofSdk(code: string): readonly JsonObject[] {
  if (!isKey(SDK_ERRORS, code)) return [];
  const error = SDK_ERRORS[code];
  return [{ object: 'error_code', code, from: `@plat/sdk, ${error.class}`, ...forTerminal(error) }];
}

function ofWebhooks(code: string): readonly JsonObject[] {
  if (!isKey(WEBHOOK_ERRORS, code)) return [];
  const texts = forTerminal(WEBHOOK_ERRORS[code]);
  if (!isKey(VERIFICATION_CODES, code)) return [{ object: 'error_code', code, from: '@plat/webhooks', ...texts }];
  return [
    {
      object: 'error_code',
      code,
      from: 'plat webhooks verify, @plat/webhooks',
      exit_code: EXIT_CODES.checkFailed,
      description: VERIFICATION_CODES[code],
      ...texts,
      note: 'plat webhooks verify shows what is wrong with a delivery, and the likely reason.',
    },
  ];
}

function ofLaunchToken(code: string): readonly JsonObject[] {
  if (!isKey(LAUNCH_TOKEN_ERRORS, code)) return [];
  const { status, sentence } = LAUNCH_TOKEN_CODES[code];
  return [
    {
      object: 'error_code',
      code,
      from: 'plat launch verify, @plat/launch-token',
      status,
      exit_code: EXIT_CODES.checkFailed,
      description: sentence,
      ...forTerminal(LAUNCH_TOKEN_ERRORS[code]),
      note: 'plat launch verify shows what is wrong with a token, and the likely reason.',
    },
  ];
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

function isKey<T extends object>(table: T, name: string): name is keyof T & string {
  return Object.hasOwn(table, name);
}
