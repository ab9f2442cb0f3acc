export type { Config } from './config/config.ts';
export { ConfigError } from './config/config-error.ts';
export { readConfig } from './config/read-config.ts';
export { DatabaseUnusableError } from './db/database.ts';
export type { OpenApiDocument } from './openapi/openapi-document.ts';
export { StartError } from './ops/start-error.ts';
export { type RunningServer, type ServerOptions, startServer } from './server.ts';
export { openApiDocument } from './surface.ts';
