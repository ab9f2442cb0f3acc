export { exchange, type Response, type Sending } from './exchange.ts';
export {
  acceptanceOf,
  type Case,
  type CaseResult,
  chooseCases,
  isReceiverUrl,
  type Problem,
  type ReceiverReport,
  type Run,
  redirectTo,
  runCases,
  silenceOf,
  type Verdict,
} from './suite.ts';
