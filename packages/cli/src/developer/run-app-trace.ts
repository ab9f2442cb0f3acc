import { connectDeveloper } from '../command/connect.ts';
import type { CommandContext } from '../command/context.ts';
import type { JsonObject } from '../terminal/value.ts';
import { printTrace } from '../trace/run-trace.ts';
import { callDeveloper } from './call.ts';

interface OfApp {
  /** Id of the app. */
  readonly app: string;
  /** Id of an object of the app. */
  readonly id: string;
  readonly query: JsonObject;
}

/** Prints the trace of an object of an app, with the login of this server. */
export async function runAppTrace(context: CommandContext, { app, id, query }: OfApp): Promise<void> {
  const { platform } = await connectDeveloper(context);
  const path = { app_id: app, id: id.trim() };
  // The options were read by the schema of the query, whose values are texts and numbers.
  const params = query as Record<string, string | number>;
  const trace = await callDeveloper(platform, 'apps.trace.get', { path, query: params });
  platform.close();
  await printTrace(context, trace, `plat apps trace get ${app}`);
}
