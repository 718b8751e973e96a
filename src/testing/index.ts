export type { Chain, ChainFeed, PaymentTerms, PaymentView } from '../ports/chain.ts';
export type { Clock, Random } from '../ports/clock.ts';
export type { EventLog } from '../ports/event-log.ts';
export type { Logger } from '../ports/logger.ts';
export type { Peers } from '../ports/peers.ts';
export type { AskResult, Question } from '../runtime/command.ts';
export {
  arbitraryEvents,
  damagedText,
  type Mutation,
  mutation,
  type StoredText,
  storedText,
} from './arbitraries.ts';
export {
  type ChainContractOptions,
  type ChainFixture,
  type ContractCase,
  chainContract,
  type NodePowers,
} from './chain-contract.ts';
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
export {
  type Bounds,
  type BoundsChanges,
  boundsOf,
  CALM,
  type PerLeg,
  TROUBLES,
  type Trouble,
} from './check/bounds.ts';
export {
  type CheckOptions,
  type CheckResult,
  type CheckViolation,
  type CounterexampleStep,
  check,
} from './check/check.ts';
export { type NamedBounds, publishedBounds, thoroughBounds } from './check/published.ts';
export { renderViolation } from './check/render.ts';
export { CHECKED_RULES, type CheckedRule } from './check/rules.ts';
export { type ClockContractCase, type ClockUnderTest, clockContract } from './clock-contract.ts';
export {
  type CometBlock,
  type CometChain,
  type CometNews,
  type CometOptions,
  createCometChain,
} from './cometbft/chain.ts';
export { type CometNode, CometRefusal, createCometNode, type NodeConduct } from './cometbft/node.ts';
export { type ListeningNode, listenCometNode } from './cometbft/server.ts';
export { type SwapLogOptions, swapLog, swapTermsOptions } from './drawn-logs.ts';
export {
  type FreeAbsence,
  type FreeAbsencesOptions,
  type FreeScenarioOptions,
  type FreeTerms,
  type FreeTermsOptions,
  type FreeTimes,
  type FreeTimesOptions,
  freeAbsences,
  freeScenario,
  freeTerms,
  freeTimes,
  type Range,
  withAbsences,
  withTimes,
} from './free-scenarios.ts';
export {
  type HardwareWalletContractCase,
  type HardwareWalletUnderTest,
  hardwareWalletContract,
} from './hardware-wallet-contract.ts';
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
export { type LegalPathOptions, legalPath, type PathTarget } from './legal-path.ts';
export { eventLogContract } from './log-contract.ts';
export type { LogContractOptions, LogUnderTest } from './log-subject.ts';
export { type LoggedLine, type LoggerContractCase, type LoggerUnderTest, loggerContract } from './logger-contract.ts';
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
export { type ChangeKind, type SingleChange, singleChanges } from './mutations.ts';
export {
  type HeldNft,
  type NftProviderContractCase,
  type NftProviderContractOptions,
  type NftProviderUnderTest,
  type NftTrouble,
  nftProviderContract,
} from './nft-provider-contract.ts';
export { type OrdersContractCase, type OrdersUnderTest, ordersContract } from './orders-contract.ts';
export { type ChartPath, chartEdges, countSimplePaths, LIVE_ORIGINS, STORED_ORIGINS, simplePaths } from './paths.ts';
export { type PeersUnderTest, peersContract } from './peers-contract.ts';
export { type RandomContractCase, randomContract } from './random-contract.ts';
export {
  type RemoteUser,
  type RemoteWalletContractCase,
  type RemoteWalletUnderTest,
  remoteWalletContract,
} from './remote-wallet-contract.ts';
export { runMinutes, runUntilIdle, type TimedWorld, type Worker } from './run-until-idle.ts';
export { type ArbitraryScenarioOptions, arbitraryScenario } from './scenario-arbitraries.ts';
export { composeShape, plainForm, type StoredShape, storedShapes, swapShapes, textStyles, wrappers } from './shapes.ts';
export { type Expected, type Given, given, SpecError, type SpecEvent, type When } from './spec.ts';
export { type BuildSwapOptions, buildSwap, buildSwapPair, type SwapPair, successPath } from './swap-builder.ts';
export { type SwapEra, type SwapTerms, type SwapTermsOptions, swapTerms } from './swap-terms.ts';
export { type SwapTransactions, swapTransactions } from './swap-transactions.ts';
export { mutateBytes, mutateText, textDamages } from './text-fuzz.ts';
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
export { MemberTypeError, MemberValueError } from './world/shape-check.ts';
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
