import { LaunchTokenError } from '@plat/launch-token';
import { type LaunchTestIssuer, startTestIssuer, testLaunchReceiver } from '@plat/launch-token/conformance';
import { type CommandContext, note } from '../command/context.ts';
import { receiverTestSettings } from '../command/receiver-test-options.ts';
import { CliError } from '../errors/cli-error.ts';
import { codeOf } from '../errors/code-of.ts';
import { receiverFailureOf, receiverReportPrinter } from '../output/receiver-report.ts';
import { isObject, type JsonObject } from '../terminal/value.ts';
import { type LaunchTestOptions, TEST_ISSUER } from './launch-test.ts';

/**
 * Posts the launches of the conformance suite to a receiver, and prints what it does wrong.
 * @throws CheckFailedError `RECEIVER_FAILED` when a case failed
 */
export async function runTest(context: CommandContext, options: LaunchTestOptions): Promise<void> {
  const { audience, entitlement, once, report: format } = options;
  const claims = options.claims === undefined ? undefined : readClaims(options.claims);
  const issuer = await startIssuer(options.issuer ?? TEST_ISSUER);
  try {
    await note(context, `The receiver must trust the issuer ${issuer.url}, which this test runs`);
    const show = receiverReportPrinter(context, format);
    const report = await testLaunchReceiver({
      ...receiverTestSettings(options),
      issuer,
      audience,
      entitlement,
      once,
      claims,
      onResult: (result) => show.result(result),
    });
    await show.report(report);
    if (!report.ok) throw receiverFailureOf(report);
  } catch (error) {
    throw usageErrorOf(error);
  } finally {
    await issuer.close();
  }
}

async function startIssuer(url: string): Promise<LaunchTestIssuer> {
  try {
    return await startTestIssuer({ url });
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw usageErrorOf(error);
    throw new CliError('USAGE', `The port of the issuer ${url} is in use`, {
      next: 'Pass --issuer <url> with a free port, and configure the receiver with it.',
    });
  }
}

function usageErrorOf(error: unknown): unknown {
  const isUsage = error instanceof LaunchTokenError && error.code === 'OPTION_INVALID';
  return isUsage ? new CliError('USAGE', error.hint) : error;
}

function readClaims(text: string): JsonObject {
  try {
    const claims: unknown = JSON.parse(text);
    if (isObject(claims)) return claims;
  } catch {}
  throw new CliError('USAGE', `--claims takes a JSON object, for example '{"tenant":"tnt_…"}'`);
}
