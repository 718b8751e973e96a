export type { Anomaly } from './events/anomaly.ts';
export { encodeSavedSwap, savedSwapText } from './events/encode.ts';
export { redactLog } from './events/redact.ts';
export type { SwapLog } from './events/saved-swap.ts';
export { decodeSwapsText } from './events/wrappers.ts';
export { SwapfoldError } from './primitives/error.ts';
export { type ReplayedSwap, replaySwap } from './replay/swaps.ts';
export { type TraceStep, traceSwap } from './replay/trace.ts';
