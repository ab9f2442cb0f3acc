// A part of oidc-provider without types.
declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  import type { Adapter } from 'oidc-provider';

  const MemoryAdapter: new (model: string, store: Map<string, unknown>) => Adapter;
  export default MemoryAdapter;
}
