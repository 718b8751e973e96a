export type { Anomaly } from './events/anomaly.ts';
export { encodeSavedSwap, savedSwapText } from './events/encode.ts';
export { redactLog } from './events/redact.ts';
export type { SwapLog } from './events/saved-swap.ts';
export { decodeSwapsText } from './events/wrappers.ts';
export { type DecimalText, decimalOf } from './primitives/decimal.ts';
export { SwapfoldError } from './primitives/error.ts';
export { Secret } from './primitives/secret.ts';
export {
  type Height,
  heightOf,
  type Millis,
  millisOf,
  type Seconds,
  toUnixSeconds,
  type UnixSeconds,
  unixSecondsOf,
} from './primitives/time.ts';
export { auditSwap } from './replay/audit/audit-swap.ts';
export type { AuditCheck, AuditReport } from './replay/audit/report.ts';
export { type Explanation, explainSwap } from './replay/explain.ts';
export { type ReplayedSwap, replaySwap } from './replay/swaps.ts';
export { type TraceStep, traceSwap } from './replay/trace.ts';
