export { type CompiledMachine, compile } from './compile.ts';
export { type ReplayedLog, replayEvents } from './events.ts';
export { fold } from './fold.ts';
export { type ReplaySession, startReplay } from './session.ts';
export { concludeReplay, type ReplayedSwap, replaySwap, swapMachines } from './swaps.ts';
export { type TraceStep, traceSwap } from './trace.ts';
