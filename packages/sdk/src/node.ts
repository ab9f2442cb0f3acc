export { fileStore } from './oauth/stores/file-store.ts';
export { type NodeTransportOptions, nodeTransport, type ProxyEnvironment } from './transport/node.ts';
