import type { LaunchTokenMintParams } from '@plat/contract';
import { connectDeveloper } from '../command/connect.ts';
import { type CommandContext, note, print } from '../command/context.ts';
import { printResult } from '../output/result.ts';
import { cell, type JsonObject } from '../terminal/value.ts';

interface Mint {
  readonly input: JsonObject;
  readonly idempotencyKey: string | undefined;
}

/** Mints a launch token. Without an explicit format it prints the token only, so that it can be piped. */
export async function runMintLaunchToken(context: CommandContext, { input, idempotencyKey }: Mint): Promise<void> {
  const { developer } = await connectDeveloper(context);
  // The input was read by the schema of this type.
  const minted = await developer.launchTokens.mint(input as unknown as LaunchTokenMintParams, { idempotencyKey });
  developer.close();
  const { output, fields } = context.flags;
  if (output !== 'table' || fields) return printResult(context, minted);
  await print(context, `${cell(minted.token)}\n`);
  await note(
    context,
    `Audience ${minted.audience}, expires ${minted.expires_at}. A browser posts it to ${minted.launch_url}`,
  );
}
