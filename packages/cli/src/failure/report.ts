import { maskSecrets } from '@plat/contract';
import { type Io, write } from '../terminal/io.ts';
import { printable, printableJson, safeMessage } from '../terminal/printable.ts';
import { styleOf } from '../terminal/style.ts';
import type { Failure } from './failure.ts';

/** Reports a failure on stderr: as lines for people, or as one line of JSON for programs. */
export async function report(io: Io, failure: Failure, json: boolean): Promise<void> {
  await write(io.stderr, json ? asJson(failure) : asText(io, failure));
}

function asJson({ code, message, status, requestId, errors, hint, next, exitCode }: Failure): string {
  const body = {
    error: {
      code,
      message,
      status,
      request_id: requestId,
      ...(errors.length > 0 && { errors }),
      ...(hint !== undefined && { hint }),
      ...(next !== undefined && { next }),
    },
    exit_code: exitCode,
  };
  return `${printableJson(maskSecrets(JSON.stringify(body)))}\n`;
}

function asText(io: Io, { code, message, status, requestId, errors, hint, next }: Failure): string {
  const style = styleOf(io, io.stderr);
  const origin = status === null ? code : `${code}, HTTP ${status}`;
  const lines = [`${style.alarm('error:')} ${safeMessage(message)} ${style.faint(`(${printable(origin)})`)}`];
  const [first] = errors;
  // The message of a single problem names it.
  const isNamed = errors.length === 1 && first !== undefined && message.endsWith(`${first.path} ${first.message}`);
  for (const { path, message: wrong } of isNamed ? [] : errors) {
    lines.push(`  ${safeMessage(`${path || '(body)'}: ${wrong}`)}`);
  }
  if (requestId !== null) lines.push(`${style.faint('request id:')} ${printable(requestId)}`);
  if (hint !== undefined) lines.push(`${style.faint('hint:')} ${safeMessage(hint)}`);
  if (next !== undefined) lines.push(`${style.faint('next:')} ${safeMessage(next)}`);
  return `${lines.join('\n')}\n`;
}
