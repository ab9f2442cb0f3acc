export { type TestPlatform, type UsePlatformOptions, usePlatform } from './use-platform.ts';
