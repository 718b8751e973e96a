export { type Envelope, envelopeHash, GENESIS_HASH, sealStream } from '../primitives/envelope.ts';
export type { Anomaly } from './anomaly.ts';
export { catalog, type EventSpec, type Role } from './catalog.ts';
export { type DecodeCode, DecodeError, type DecodePlace } from './decode-error.ts';
export { decodePayload, decodeStoredEvent, type StoredEvent } from './decode-event.ts';
export {
  type EnableEthEvent,
  enableEthEventTypes,
  enableEthPayloads,
  readEnableEthEvent,
} from './enable-eth.ts';
export {
  type EnableTendermintEvent,
  enableTendermintEventTypes,
  enableTendermintPayloads,
  readEnableTendermintEvent,
} from './enable-tendermint.ts';
export { encodeSavedSwap, type SavedSwapForm, savedSwapText } from './encode.ts';
export { standardLists } from './event-lists.ts';
export { envelopeLine, jsonlText, parseEnvelopeLine, streamOf, toEnvelopes } from './jsonl.ts';
export { finishedAt, type KdfFlags, kdfFlags, type MyInfo, myInfo } from './kdf-flags.ts';
export { type MakerEvent, type MakerEventType, makerEventTypes, makerPayloads } from './maker.ts';
export { redactLog } from './redact.ts';
export { decodeSavedSwap, type SavedSwapHead, type SwapLog } from './saved-swap.ts';
export { type TakerEvent, type TakerEventType, takerEventTypes, takerPayloads } from './taker.ts';
export type { Upcaster } from './upcaster.ts';
export { upcasters } from './upcasters.ts';
export {
  defaultWatchTiming,
  type StopReason,
  stopReasons,
  type Watch,
  type WatcherEvent,
  type WatcherEventType,
  type WatchTiming,
  watcherEventTypes,
  watcherPayloads,
} from './watcher.ts';
export { type DecodedSwap, decodeSwaps, decodeSwapsText } from './wrappers.ts';
