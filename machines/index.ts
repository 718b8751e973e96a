export type { EnableEthCommand } from './activation/enable-eth/commands.ts';
export type { EnableEthContext } from './activation/enable-eth/context.ts';
export { type Decision, decide, type EnableEthAnswer } from './activation/enable-eth/decide.ts';
export { enableEthDefinition } from './activation/enable-eth/definition.ts';
export { enableEthInvariants } from './activation/enable-eth/invariants.ts';
export { enableEthChart } from './activation/enable-eth/machine.ts';
export type { EnableTendermintContext } from './activation/enable-tendermint/context.ts';
export { enableTendermintDefinition } from './activation/enable-tendermint/definition.ts';
export { enableTendermintInvariants } from './activation/enable-tendermint/invariants.ts';
export { enableTendermintChart } from './activation/enable-tendermint/machine.ts';
export { chartGuards, graphOf, reducerActions } from './chart.ts';
export type { MessageWait } from './deadlines/message-wait.ts';
export type { Race } from './deadlines/race.ts';
export type { Deadline, Guards, Invariant, MachineDefinition, MachineEvent, Reducers, Want } from './definition.ts';
export {
  type EdgeMeta,
  type EdgeOrigin,
  type EventGraph,
  finalStates,
  type GraphEdge,
  type GraphState,
} from './graph.ts';
export type { JournalContext } from './journal/context.ts';
export type { MakerSwapContext } from './maker-swap/context.ts';
export { makerSwap } from './maker-swap/definition.ts';
export { makerSwapInvariants } from './maker-swap/invariants.ts';
export { makerSwapChart } from './maker-swap/machine.ts';
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
export { takerSwapInvariants } from './taker-swap/invariants.ts';
export { takerSwapChart } from './taker-swap/machine.ts';
export { acceptWatch, type WatchAcceptance, type WatchRefusal, type WatchSurroundings } from './watcher/accept.ts';
export type { WatcherContext } from './watcher/context.ts';
export { type WatcherDefinition, watcherDefinition } from './watcher/definition.ts';
export { watcherInvariants } from './watcher/invariants.ts';
export { watcherChart } from './watcher/machine.ts';
export { WATCH_OUTCOMES, type WatchOutcome } from './watcher/verdict.ts';
