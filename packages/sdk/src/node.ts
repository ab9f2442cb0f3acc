// With `declaration`, a compiler names the types of these entries only if a program loads them.
export type {} from './index.ts';
export { fileStore } from './oauth/stores/file-store.ts';
export type {} from './oauth.ts';
export { type NodeTransportOptions, nodeTransport, type ProxyEnvironment } from './transport/node.ts';
