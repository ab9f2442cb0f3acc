import { connectDeveloper } from '../command/connect.ts';
import type { CommandContext } from '../command/context.ts';
import type { JsonObject } from '../terminal/value.ts';
import { printTrace } from '../trace/run-trace.ts';

interface OfApp {
  /** Id of the app. */
  readonly app: string;
  /** Id of an object of the app. */
  readonly id: string;
  readonly query: JsonObject;
}

/** Prints the trace of an object of an app, with the login of this server. */
export async function runAppTrace(context: CommandContext, { app, id, query }: OfApp): Promise<void> {
  const { developer } = await connectDeveloper(context);
  const trace = await developer.apps.trace.get(app, id.trim(), query);
  developer.close();
  await printTrace(context, trace, `plat apps trace get ${app}`);
}
