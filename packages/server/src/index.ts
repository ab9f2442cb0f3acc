export { type Config, ConfigError, readConfig } from './config.ts';
export { DatabaseUnusableError } from './db/database.ts';
export { StartError } from './ops/start-error.ts';
export { type RunningServer, type ServerOptions, startServer } from './server.ts';
