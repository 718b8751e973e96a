export type { EnableEthCommand } from './activation/enable-eth/commands.ts';
export type { EnableEthContext } from './activation/enable-eth/context.ts';
export { type Answer, type Decision, decide } from './activation/enable-eth/decide.ts';
export { enableEthDefinition } from './activation/enable-eth/definition.ts';
export type { EnableTendermintContext } from './activation/enable-tendermint/context.ts';
export { enableTendermintDefinition } from './activation/enable-tendermint/definition.ts';
export type {
  Deadline,
  EdgeMeta,
  EdgeOrigin,
  Guards,
  Invariant,
  MachineDefinition,
  MachineEvent,
  Reducers,
  Want,
} from './definition.ts';
export { chartGuards, finalStates, reducerActions } from './definition.ts';
export type { MakerSwapContext } from './maker-swap/context.ts';
export { makerSwap } from './maker-swap/definition.ts';
export {
  type Fact,
  type FoundSpend,
  type LookUp,
  RECOVERED_ACTION,
  type Recovery,
  type RecoveryFacts,
  type RefusalReason,
} from './recovery/facts.ts';
export { type RecoverableSwap, type RecoveryMode, recoverFunds } from './recovery/recover.ts';
export type {
  Claim,
  LegFunds,
  NextStep,
  Outcome,
  Party,
  SwapDefinition,
  SwapFunds,
  SwapVerdict,
} from './swap-verdict.ts';
export { OUTCOMES } from './swap-verdict.ts';
export type { TakerSwapContext } from './taker-swap/context.ts';
export { takerSwap } from './taker-swap/definition.ts';
export { acceptWatch, type WatchAcceptance, type WatchRefusal, type WatchSurroundings } from './watcher/accept.ts';
export type { WatcherContext } from './watcher/context.ts';
export { type WatcherDefinition, watcherDefinition } from './watcher/definition.ts';
export { WATCH_OUTCOMES, type WatchOutcome } from './watcher/verdict.ts';
