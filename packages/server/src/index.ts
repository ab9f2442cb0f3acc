export { type Config, ConfigError, readConfig } from './config.ts';
export { DatabaseUnusableError } from './db/database.ts';
export type { OpenApiDocument } from './openapi/openapi-document.ts';
export { StartError } from './ops/start-error.ts';
export { type RunningServer, type ServerOptions, startServer } from './server.ts';
export { openApiDocument } from './surface.ts';
