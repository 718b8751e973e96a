import type { SwapRequest } from '../events/journal.ts';
import { defaultWatchTiming, type WatchTiming } from '../events/watcher.ts';

import type { DecimalText } from '../primitives/decimal.ts';
import type { Millis } from '../primitives/time.ts';
import type { Leg } from '../runtime/command.ts';
import { DEFAULT_POLICY, type Policy } from '../runtime/policy.ts';
import type { Traits } from '../runtime/swap/side-inputs.ts';
import { publishedMargin } from '../sim/world/assumptions.ts';
import { EPOCH } from '../sim/world/scenario.ts';
import { type Bodies, createBodies } from './bodies.ts';
import type { Bounds } from './bounds.ts';
import type { ChainParts } from './chain-state.ts';

/** First moment of every explored run, in seconds since 1970. */
export const START = EPOCH;

export type PartyName = 'maker' | 'taker';

/** Where an engine can sit. */
export type Seat = PartyName | 'watcher';
export const PARTIES: readonly PartyName[] = ['maker', 'taker'];
export const LEGS: readonly Leg[] = ['maker', 'taker'];

export function otherOf(party: PartyName): PartyName {
  return party === 'maker' ? 'taker' : 'maker';
}

/** What does not change in an exploration. */
export type Model = {
  readonly bounds: Bounds;
  readonly bodies: Bodies;
  readonly chains: Readonly<Record<Leg, ChainParts>>;
  readonly traits: Traits;
};

const FOREVER = 1e9;

/**
 * Timings of an explored engine. Whoever waits learns of every change, so no poll is needed. Pauses between attempts and repeated messages are short
 * compared to the locks and do not move the clock: they end when the explorer says so.
 */
export const CHECKED_POLICY: Policy = {
  ...DEFAULT_POLICY,
  confirmationPoll: FOREVER,
  spendPoll: FOREVER,
  refundPoll: FOREVER,
  freshness: 0,
  resend: { negotiation: FOREVER, fee: FOREVER, payment: FOREVER },
  feeCheck: { retries: 0, pause: FOREVER },
  backoff: { first: FOREVER, factor: 1, most: FOREVER },
  startWithin: FOREVER,
  dropAfter: 0,
  // One millisecond: whatever waits when the clock moves has waited too long.
  bumpAfter: 0.001,
  // Fees count attempts here; they are not amounts.
  fees: { pause: 0, retryCheaper: FOREVER, share: Number.POSITIVE_INFINITY, factor: 0, most: {} },
  margin: 0,
  finality: {},
  guardFactor: 1,
  guardFor: FOREVER,
};

/** Timings of a watcher, on the same terms. */
export const CHECKED_TIMING: WatchTiming = {
  ...defaultWatchTiming,
  wait_taker_payment: 0,
  search_interval: FOREVER,
};

const COINS: Readonly<Record<Leg, string>> = { maker: 'DOC', taker: 'MARTY' };
const PERSISTENT: Readonly<Record<PartyName, string>> = { maker: 'a1'.repeat(32), taker: 'b2'.repeat(32) };
const HTLC_KEYS: Readonly<Record<Seat, string>> = {
  maker: `03${'a3'.repeat(32)}`,
  taker: `03${'b4'.repeat(32)}`,
  watcher: `03${'c5'.repeat(32)}`,
};
const UUID = '00000000-0000-4000-8000-000000000001';
const SECRET = '5e'.repeat(32);

/** The key of a seat for both chains, 33 bytes in hex; simulated keys need be no points. */
export function htlcKeyOf(seat: Seat): string {
  return HTLC_KEYS[seat];
}

export function createModel(bounds: Bounds): Model {
  const bodies = createBodies();
  const traits = { maker: traitsOf(bounds, 'maker'), taker: traitsOf(bounds, 'taker') };
  const chain = (leg: Leg): ChainParts => ({
    leg,
    kind: bounds.chains[leg],
    traits: traits[leg],
    lock: START + bounds.lockDuration * (leg === 'maker' ? 2 : 1),
    cap: Math.max(bounds.finality[leg], bounds.confirmations[leg]),
    reliedOn: ({ purpose }) => (purpose === 'payment' ? bounds.confirmations[leg] : bounds.finality[leg]),
    bodies,
    otherPays: traits[otherOf(leg)].rewards === true,
  });
  return { bounds, bodies, traits, chains: { maker: chain('maker'), taker: chain('taker') } };
}

function traitsOf({ chains, finality, rewards }: Bounds, leg: Leg): Traits[Leg] {
  const kind = chains[leg];
  const pays = kind === 'account' && rewards;
  return {
    coin: COINS[leg],
    decimals: 8,
    minTxAmount: 1000n,
    refund: kind === 'autoRefund' ? 'automatic' : 'transaction',
    watchers: kind === 'utxo' || pays,
    ...(pays ? { rewards: true } : {}),
    finality: finality[leg],
    contract: kind === 'account' ? 'c0'.repeat(20) : null,
    secretHashBytes: kind === 'autoRefund' ? 32 : 20,
  };
}

/** The terms of the swap, with which the log of a party begins. */
export function requestOf({ bounds }: Model, role: PartyName): SwapRequest {
  const { confirmations, lockDuration, watcher } = bounds;
  return {
    role,
    uuid: UUID,
    my_order_uuid: UUID,
    maker_coin: COINS.maker,
    taker_coin: COINS.taker,
    maker_amount: '1.5' as DecimalText,
    taker_amount: '3' as DecimalText,
    counterparty: PERSISTENT[otherOf(role)],
    my_persistent_pub: `02${PERSISTENT[role]}`,
    lock_duration: lockDuration,
    maker_payment_confirmations: confirmations.maker,
    maker_payment_requires_nota: false,
    taker_payment_confirmations: confirmations.taker,
    taker_payment_requires_nota: false,
    secret: role === 'maker' ? SECRET : null,
    use_watchers: watcher !== 'none',
  };
}

export function secretOf(): string {
  return SECRET;
}

export function uuidOf(): string {
  return UUID;
}

/** What the clocks of the chains can show: one second after each lock that a payment can have, in seconds since 1970. */
export function clocksOf({ bounds: { lockDuration } }: Model): readonly number[] {
  return [SHORT, 1, 2].map((part) => START + lockDuration * part + 1);
}

/** The lock of an adversary that is shorter than agreed, as a fraction of the agreed duration. */
export const SHORT = 0.5;

export function millisAt(seconds: number): Millis {
  return (seconds * 1000) as Millis;
}

/** How long before the lock of the other payment an engine must run. */
export function marginOf({ lockDuration }: Bounds): number {
  return publishedMargin(lockDuration);
}
