export {
  createMockPlatform,
  type MockPlatform,
  type MockPlatformOptions,
  type MockRequest,
  type SignOptions,
} from './create-mock-platform.ts';
export type { FailOptions, FailureKind } from './faults.ts';
