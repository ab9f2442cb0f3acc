import type { FieldError } from '@plat/contract';
import type { ApiError } from '@plat/sdk';
import { shellWord } from '../command/command-line.ts';
import type { Trace } from '../command/context.ts';
import type { Connection } from '../connection/connection.ts';
import { HOW_TO_START } from '../connection/sandbox-file.ts';
import { type Advice, AdvisedError } from '../errors/cli-error.ts';
import { codeOf } from '../errors/code-of.ts';
import { EXIT_CODES, type ExitCode } from '../errors/exit-codes.ts';
import { EXIT_OF_ERROR_CODE } from '../errors/exit-of-error-code.ts';
import { adviceFor } from './advice.ts';
import { tlsAdvice } from './tls-advice.ts';

/** The printed form of an error. */
export interface Failure extends Advice {
  readonly code: string;
  readonly message: string;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  readonly requestId: string | null;
  readonly errors: readonly FieldError[];
  readonly exitCode: ExitCode;
}

/** Circumstances of a failed command. */
export interface Situation extends Readonly<Trace> {
  readonly command: string;
}

/** Converts any thrown value to a failure with its exit code and next step. */
export async function failureOf(error: unknown, situation: Situation): Promise<Failure> {
  if (error instanceof AdvisedError) {
    return { ...NO_RESPONSE, ...error.advice, code: error.code, message: error.message, exitCode: error.exitCode };
  }
  const sdk = await import('@plat/sdk');
  if (error instanceof sdk.ApiError) {
    const { code, rawCode, status, requestId, errors, retryAfter } = error;
    const message = withoutCodes(error);
    const advice = withCursor(adviceFor({ code, retryAfter, ...situation }), error.cursor, situation);
    return { ...advice, code: rawCode, message, status, requestId, errors, exitCode: EXIT_OF_ERROR_CODE[code] };
  }
  if (error instanceof sdk.PlatformError) {
    const { code, message, requestId } = error;
    const known = { ...NO_RESPONSE, code, message, requestId };
    if (error instanceof sdk.InvalidArgumentError) return { ...known, ...wrongArgument(situation) };
    if (error instanceof sdk.CredentialError) return { ...known, exitCode: EXIT_CODES.auth };
    if (error instanceof sdk.ConnectionError || error instanceof sdk.TimeoutError) {
      return {
        ...known,
        ...withCursor(unreachable(error.cause, situation.connection), error.cursor, situation),
        exitCode: EXIT_CODES.network,
      };
    }
    const status = error instanceof sdk.InvalidResponseError ? error.status : null;
    return {
      ...known,
      ...withCursor(notTheApi(situation), error.cursor, situation),
      status,
      exitCode: EXIT_CODES.server,
    };
  }
  return {
    ...NO_RESPONSE,
    code: 'UNEXPECTED',
    message: error instanceof Error ? error.message : String(error),
    next: 'This is a bug in plat. Please report it with the command that you typed.',
    exitCode: EXIT_CODES.unexpected,
  };
}

const NO_RESPONSE = { status: null, requestId: null, errors: [] };

function wrongArgument({ command, connection }: Situation): Pick<Failure, 'next' | 'exitCode'> {
  const from = connection
    ? ` The server comes from ${connection.baseUrlFrom}, the ${connection.kind === 'login' ? 'login' : 'key'} from ${connection.credentialFrom}.`
    : '';
  return { next: `See ${command} --help.${from}`, exitCode: EXIT_CODES.usage };
}

function unreachable(cause: unknown, connection: Connection | null): Advice {
  if (connection?.sandbox) {
    return { hint: `The sandbox of ${connection.sandbox.path} does not answer.`, next: `Start it: ${HOW_TO_START}` };
  }
  const address = `Check the address${connection ? ` (from ${connection.baseUrlFrom})` : ''}`;
  const tls = tlsAdvice(codeOf(cause));
  return tls ? { next: `${address}.`, ...tls } : { next: `${address} and that the server runs.` };
}

function notTheApi({ connection }: Situation): Advice {
  return { next: `Check the base URL${connection ? `: ${connection.baseUrl} (${connection.baseUrlFrom})` : ''}.` };
}

/** Adds the cursor that continues an interrupted list. Everything before it was printed. */
function withCursor(advice: Advice, cursor: string | null, { resumeWith }: Situation): Advice {
  if (cursor === null || resumeWith === null) return advice;
  return { ...advice, next: `${advice.next ?? ''} Continue with ${resumeWith} ${shellWord(cursor)}.`.trim() };
}

/** Returns the message of the service without the trailing code and status, which are printed separately. */
export function withoutCodes({ message, rawCode, status }: ApiError): string {
  const suffix = ` (${rawCode}, HTTP ${status})`;
  return message.endsWith(suffix) ? message.slice(0, -suffix.length) : message;
}
