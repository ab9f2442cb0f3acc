export { fileStore } from './oauth/stores/file-store.ts';
export { type NodeTransportOptions, nodeTransport } from './transport/node.ts';
