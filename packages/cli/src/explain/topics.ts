import {
  ALL_EVENT_TYPES,
  ALL_SCOPES,
  ERROR_CODES,
  type ErrorCodeInfo,
  EVENT_TYPES,
  type EventType,
  isErrorCode,
  isEventType,
  isScope,
  OPERATIONS,
  type OperationInfo,
  SCOPES,
  type Scope,
} from '@plat/contract';
import { LAUNCH_TOKEN_CODES } from '@plat/launch-token';
import { VERIFICATION_CODES } from '@plat/webhooks';
import { SAMPLE_PAYLOADS } from '@plat/webhooks/testing';
import { commandWords, OPERATION_NAMES } from '../command/words.ts';
import { EXIT_CODES, EXIT_OF_ERROR_CODE } from '../errors/exit-codes.ts';
import type { JsonObject } from '../terminal/value.ts';
import { CAUSES } from '../trigger/causes.ts';
import { ERROR_EXPLANATIONS } from './error-explanations.ts';
import { OWN_CODES } from './own-codes.ts';

/** Every name that can be explained. */
export const EXPLAINED: readonly string[] = [
  ...new Set([
    ...Object.keys(ERROR_CODES),
    ...Object.keys(OWN_CODES),
    ...Object.keys(VERIFICATION_CODES),
    ...Object.keys(LAUNCH_TOKEN_CODES),
    ...ALL_EVENT_TYPES,
    ...ALL_SCOPES,
  ]),
];

/** What one of {@link EXPLAINED} stands for. */
export function explanationOf(name: string): JsonObject {
  if (isErrorCode(name)) {
    const { status, general }: ErrorCodeInfo = ERROR_CODES[name];
    const { cause, fix } = ERROR_EXPLANATIONS[name];
    const exit_code = EXIT_OF_ERROR_CODE[name];
    return { object: 'error_code', code: name, from: 'the API', status, general, exit_code, ...plain({ cause, fix }) };
  }
  if (isEventType(name)) return eventType(name);
  if (isScope(name)) return scope(name);
  if (isOwn(name)) {
    const { exit, cause, fix } = OWN_CODES[name];
    return { object: 'error_code', code: name, from: 'plat', exit_code: exit, ...plain({ cause, fix }) };
  }
  const exit_code = EXIT_CODES.checkFailed;
  if (isLaunch(name) && !isVerification(name)) {
    return {
      object: 'error_code',
      code: name,
      from: 'plat launch verify, @plat/launch-token',
      exit_code,
      cause: LAUNCH_TOKEN_CODES[name].sentence,
      fix: 'plat launch verify says what of the token is wrong, and what the likely reason is.',
    };
  }
  return {
    object: 'error_code',
    code: name,
    from: 'plat webhooks verify, @plat/webhooks',
    exit_code,
    cause: isVerification(name) ? VERIFICATION_CODES[name] : '',
    fix: 'plat webhooks verify says what of the delivery is wrong, and what the likely reason is.',
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

function scope(name: Scope): JsonObject {
  return {
    object: 'scope',
    scope: name,
    allows: SCOPES[name],
    operations: commandsWhere((operation) => operation.scope === name),
    note: 'Write does not include read. plat me shows what the key in use has.',
  };
}

/** The commands of the operations that a look at each picks out. */
function commandsWhere(isMeant: (operation: OperationInfo) => boolean): readonly string[] {
  return OPERATION_NAMES.filter((name) => isMeant(OPERATIONS[name])).map(
    (name) => `plat ${commandWords(name).join(' ')}`,
  );
}

/** The page's markdown as a terminal shows it: a link goes by the file that it leads to. */
function plain(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const withoutLinks = (text: string) => text.replace(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 (docs/$2)');
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, withoutLinks(text)]));
}

function isOwn(name: string): name is keyof typeof OWN_CODES {
  return Object.hasOwn(OWN_CODES, name);
}

function isVerification(name: string): name is keyof typeof VERIFICATION_CODES {
  return Object.hasOwn(VERIFICATION_CODES, name);
}

function isLaunch(name: string): name is keyof typeof LAUNCH_TOKEN_CODES {
  return Object.hasOwn(LAUNCH_TOKEN_CODES, name);
}
