export { createSimChain } from './chains/create.ts';
export type {
  AccountChainOptions,
  Balance,
  Fidelity,
  Lie,
  MinedBlock,
  MineOptions,
  NetworkFault,
  NodeFault,
  PaymentState,
  ReorgOptions,
  SeenPurpose,
  SeenTransaction,
  SimChain,
  SimChainKind,
  SimChainOptions,
  SimLedger,
  SimWallet,
  SimWalletOptions,
} from './chains/types.ts';
export type {
  Incident,
  IncidentOptions,
  IncidentPart,
  IncidentPlay,
  IncidentResult,
  IncidentRule,
  IncidentRun,
  PartyEnding,
  SeenBroadcast,
} from './incidents/incident.ts';
export { incidents, runIncident, runIncidents } from './incidents/pack.ts';
export { checkMarket } from './market/check-market.ts';
export { type GenerateMarketOptions, generateMarket } from './market/generate.ts';
export { judgeMarket } from './market/judge.ts';
export { createMarket, MARKET_POLICY, type MarketOptions, type MarketWorld } from './market/market.ts';
export type { Tamper } from './market/process.ts';
export { assertMarketSound, BrokenMarketRuleError, renderMarketRun } from './market/render.ts';
export {
  MARKET_RULES,
  type MarketEnding,
  type MarketJudgement,
  type MarketRule,
  type MarketViolation,
} from './market/rules.ts';
export { runMarket } from './market/run.ts';
export {
  calmCoin,
  calmMarket,
  calmParty,
  calmSwap,
  type Funds,
  type Market,
  type MarketAllowance,
  type MarketCoin,
  type MarketConduct,
  type MarketEvent,
  type MarketParty,
  type MarketSwap,
  type MarketUser,
  type Mistake,
  type Partition,
} from './market/scenario.ts';
export {
  type ExcusedViolation,
  type MarketReport,
  type MarketResult,
  mergeMarketReports,
  runMarketScenario,
  type SimulateMarketsOptions,
  simulateMarkets,
} from './market/simulate.ts';
export { type MarketLine, type MarketLog, marketTimeline } from './market/timeline.ts';
export { runMinutes, runUntilIdle, type TimedWorld, type Worker } from './run-until-idle.ts';
export { MemberTypeError, MemberValueError } from './shape-check.ts';
export { createVirtualClock, type VirtualClock } from './virtual-clock.ts';
export { advance, runWorld } from './world/advance.ts';
export { ASSUMPTIONS, type Assumption, brokenAssumptions, publishedMargin } from './world/assumptions.ts';
export {
  awayDuring,
  clockAhead,
  conductOf,
  crashAt,
  dropMempoolAt,
  faultyNetwork,
  faultyNode,
  lyingNode,
  outage,
  reorgAt,
  type ScenarioChange,
  type Stretch,
  scenario,
  storageFaultAt,
} from './world/build.ts';
export { isCalm } from './world/calm.ts';
export { checkScenario } from './world/check-scenario.ts';
export { type CoverageGap, coverageGaps, EXCLUSIONS, type Exclusion } from './world/coverage.ts';
export type { ConductScene, CustomConduct, CustomConducts } from './world/custom-conduct.ts';
export { type GenerateOptions, generateScenario } from './world/generate.ts';
export {
  createJudge,
  type Ending,
  type Excused,
  type Judge,
  type Judgement,
  RULES,
  type RuleId,
  type Violation,
} from './world/judge.ts';
export { keepRun } from './world/keep-run.ts';
export type { Meetings, Unreached } from './world/meetings.ts';
export { type Behaviour, type SimNode, SOUND } from './world/node.ts';
export { assertSound, BrokenRuleError, type RunStyle, renderRun } from './world/render-run.ts';
export {
  type ChainEvent,
  type ChainName,
  type ChainPlan,
  type Conduct,
  type CrashPlan,
  calmScenario,
  EPOCH,
  honestParty,
  type NetworkPlan,
  type PartyName,
  type PartyPlan,
  type Scenario,
  type StorageFault,
} from './world/scenario.ts';
export { shrinkScenario, simplerScenarios } from './world/shrink.ts';
export {
  type Excuses,
  type ExplainedLoss,
  excusedRate,
  FAULT_KINDS,
  type FaultName,
  type FoundViolation,
  liveEvents,
  mergeReports,
  NEVER_LIVE,
  type RunOptions,
  type RunResult,
  runScenario,
  type SimulateOptions,
  type SimulationReport,
  simulate,
} from './world/simulate.ts';
export { readStream, storedLog, storedStream } from './world/stored-log.ts';
export type { RunLine } from './world/timeline.ts';
export { createWorld, type Observer, SIMULATED_POLICY, type World, type WorldOptions } from './world/world.ts';
export { type Rng, xorshift32 } from './xorshift.ts';
