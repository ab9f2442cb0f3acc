export { type NodeTransportOptions, nodeTransport } from './transport/node.ts';
