import express from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { addressOf } from '../config/public-address.ts';
import { errorHandler, unknownRoute } from '../http/error-handler.ts';
import { requestContext } from '../http/request-context.ts';
import { gauge } from '../kernel/meter.ts';
import { listen } from './http-server.ts';
import { startMetricsExporter } from './metrics-exporter.ts';
import { versionOf, versionRoutes } from './version-info.ts';

/** Listener of the operator's monitoring, apart from the API. */
export interface Management {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `/metrics` and `/version` on `PLAT_METRICS_PORT`. Resolves to null when no port is set.
 * @throws StartError when the address cannot be bound
 */
export async function startManagement(
  config: Pick<Config, 'commit' | 'metrics' | 'writeTimeoutMs'>,
  kind: 'server' | 'worker',
  log: Logger,
): Promise<Management | null> {
  if (config.metrics === null) return null;
  const { host, port } = config.metrics;
  const info = versionOf(config);
  const exporter = await startMetricsExporter();
  gauge('plat_build_info', { version: info.version, commit: info.commit ?? '', kind }, 1);
  const app = express();
  app.disable('x-powered-by');
  app.use(requestContext(log, { isMeasured: false }));
  app.get('/metrics', async (_req, res) => {
    const { contentType, text } = await exporter.export();
    res.setHeader('Content-Type', contentType);
    res.end(text);
  });
  app.use(versionRoutes(info), unknownRoute, errorHandler);
  try {
    const { writeTimeoutMs } = config;
    const settings = { setting: 'PLAT_METRICS_PORT', hostSetting: 'PLAT_METRICS_HOST' };
    const http = await listen(app, { host, port, ...settings, writeTimeoutMs });
    return {
      url: addressOf(host, http.port),
      async close() {
        exporter.stop();
        await http.close(0);
      },
    };
  } catch (error) {
    exporter.stop();
    throw error;
  }
}
