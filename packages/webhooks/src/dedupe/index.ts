export { type Claim, createDedupe, type Dedupe, type DedupeOptions } from './dedupe.ts';
export { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts';
export type { Awaitable, ClaimOutcome, DedupeStore } from './store.ts';
