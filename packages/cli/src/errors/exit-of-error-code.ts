import type { ErrorCode } from '@plat/contract';
import { ERROR_REFERENCE } from '@plat/contract/error-reference';
import { EXIT_CODES, type ExitCode } from './exit-codes.ts';

/** Error code of the API → exit code. */
export const EXIT_OF_ERROR_CODE = Object.fromEntries(
  Object.entries(ERROR_REFERENCE).map(([code, { exit }]) => [code, EXIT_CODES[exit]]),
  // Built from all codes, so none is missing.
) as Readonly<Record<ErrorCode, ExitCode>>;
