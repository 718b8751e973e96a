export type { SwapRequest } from '../events/journal.ts';
export type { StoredTransaction } from '../events/payloads.ts';
export { type LockDurationParameters, lockDuration, lockDurations } from '../htlc/lock-times.ts';
export {
  dexFeeTotal,
  type LockedAmounts,
  lockedBySwap,
  lockedBySwaps,
  type RunningSwap,
  type StoredTradeFee,
} from '../htlc/locked-amount.ts';
export type { Allowance, Rate, TopicAllowances } from '../peers/allowance.ts';
export { MESSAGE_LIMITS } from '../peers/message-bounds.ts';
export type {
  Answer,
  Chain,
  ChainFault,
  ChainFeed,
  ChainTraits,
  CompleteFeed,
  FaultKind,
  FeeCheck,
  FeedNews,
  ForSwap,
  Hold,
  LockExpiry,
  PaymentFunding,
  PaymentQuery,
  PaymentSpend,
  PaymentTerms,
  PaymentView,
  PreparedTransaction,
  PrepareRequest,
  Quote,
  QuotePart,
  SignedTransaction,
  TransactionView,
  Urgency,
} from '../ports/chain.ts';
export type { Clock, Random } from '../ports/clock.ts';
export type {
  AppendBatch,
  Awaitable,
  EventLog,
  LogEntry,
  NewRecord,
  QuarantinedStream,
  ScannedRecord,
  StreamLabels,
  StreamQuery,
  StreamSummary,
  SubscribeOptions,
  Subscription,
} from '../ports/event-log.ts';
export type { LogFields, Logger } from '../ports/logger.ts';
export type { PeerEnvelope, Peers, SwapMessage, SwapMessageKind, WatcherMessage } from '../ports/peers.ts';
export type { Envelope } from '../primitives/envelope.ts';
export { type RedactOptions, redactText } from '../primitives/redact-text.ts';
export type { Command, Leg, NewEvent, Question } from './command.ts';
export { type RuntimeCode, RuntimeError } from './errors.ts';
export type { FinalityPolicy, FinalityStep } from './finality.ts';
export { systemClock } from './host/clock-system.ts';
export type { DroppedMessage, DropReason, Metrics, RunnerStatus, SwapStanding } from './host/metrics.ts';
export { systemRandom } from './host/random-system.ts';
export type {
  Ask,
  ChainIdentity,
  Drivable,
  DrivableInputs,
  DrivableKind,
  DrivableView,
  Listening,
} from './loop/drivable.ts';
export type { RuntimeChain } from './loop/gate.ts';
export { type SwapKindOptions, swapKind } from './loop/swap-kind.ts';
export type { RuntimeOptions } from './operate/create-loop.ts';
export type { Drained, DrainOptions } from './operate/drain.ts';
export type { Imported, ImportReport } from './operate/import-swap.ts';
export { labelsOf } from './operate/labels-of.ts';
export type { FeeAllowance } from './operate/operate.ts';
export type { Resumed } from './operate/resume.ts';
export type { Started } from './operate/start-swap.ts';
export type { FeeAbove, PendingTransaction, QuestionFault, SwapStatus, Waiting } from './operate/status.ts';
export { createRuntime, type Runtime, type RuntimeSizes } from './operate/supervisor.ts';
export { type Backoff, DEFAULT_POLICY, type Policy } from './policy.ts';
export { DEFAULT_RUNTIME_POLICY, type Hearing, type RuntimePolicy } from './runtime-policy.ts';
export { type WatcherKindOptions, watcherKind } from './watcher/kind.ts';
