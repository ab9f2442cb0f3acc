import { createVerifier, VERIFICATION_CODES, WebhookVerificationError } from '@plat/webhooks';
import type { Command } from 'commander';
import type { CommandContext } from '../command/context.ts';
import { CheckFailedError, CliError } from '../errors/cli-error.ts';
import { readInput, readInputBytes } from '../files/input-file.ts';
import { printResult } from '../output/result.ts';
import { parseHeaders } from './raw-headers.ts';
import { readSecrets } from './secrets.ts';

interface VerifyOptions {
  readonly signature?: string;
  readonly headersFile?: string;
  readonly tolerance?: number;
  readonly tenant?: string;
  /** Unix seconds. */
  readonly at?: number;
}

/**
 * Verifies the signature and the age of a delivery.
 * @throws {@link CheckFailedError} with the code of a WebhookVerificationError
 */
export async function runVerify(context: CommandContext, command: Command, file: string): Promise<void> {
  const { io } = context;
  const options: VerifyOptions = command.opts();
  const signed = await readSigned(context, options);
  const { tenant } = options;
  const given = await readSecrets(io, command);
  const secrets = tenant === undefined ? given : given.map((secret) => ({ secret, tenantId: tenant }));
  const body = await readInputBytes(io, 'the body', file);
  const at = options.at ?? Math.floor(Date.now() / 1000);
  const verifier = createVerifier({ secrets, tolerance: options.tolerance, now: () => at * 1000 });
  try {
    const { event, timestamp, secret } = verifier.verifyDelivery(body, signed);
    const { id, type, created, tenant_id } = event;
    await printResult(context, {
      object: 'webhook_verification',
      valid: true,
      event: { id, type, created, tenant_id },
      signed_at: new Date(timestamp * 1000).toISOString(),
      age_seconds: at - timestamp,
      secret_index: secret.index,
    });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    const { code, hint } = error;
    const next =
      code === 'TIMESTAMP_TOO_OLD' ? 'For an old delivery, pass its time of arrival: --at <time>' : undefined;
    throw new CheckFailedError(code, VERIFICATION_CODES[code], { hint, next });
  }
}

async function readSigned({ io, command }: CommandContext, { signature, headersFile }: VerifyOptions) {
  if ((signature === undefined) === (headersFile === undefined)) {
    throw new CliError(
      'USAGE',
      'Pass the value of X-Platform-Signature as --signature, or all headers as --headers-file',
      {
        next: `See ${command} --help.`,
      },
    );
  }
  return signature ?? parseHeaders(await readInput(io, '--headers-file', headersFile ?? ''));
}
