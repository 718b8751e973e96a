import { initialMakerSwapContext, type MakerSwapContext } from '../../machines/maker-swap/context.ts';
import { initialTakerSwapContext, type TakerSwapContext } from '../../machines/taker-swap/context.ts';
import type {
  MakerNegotiated,
  MakerStarted,
  StoredTransaction,
  TakerNegotiated,
  TakerStarted,
} from '../../src/events/payloads.ts';
import { addSeconds, type Millis, toMillis, unixSecondsOf } from '../../src/primitives/time.ts';
import { buildSwapPair } from '../../src/testing/logs/swap-builder.ts';

/** When both parties of the swap started: 2023-11-14 22:13:20 UTC. */
export const START = unixSecondsOf(1_700_000_000);
export const LOCK_DURATION = 7800;
/** The end of the taker payment's lock: 2023-11-15 00:23:20 UTC. */
export const TAKER_LOCK = addSeconds(START, LOCK_DURATION);
/** The end of the maker payment's lock: 2023-11-15 02:33:20 UTC. */
export const MAKER_LOCK = addSeconds(START, 2 * LOCK_DURATION);

/** The moment so many seconds after {@link START}. */
export const at = (seconds: number): Millis => toMillis(addSeconds(START, seconds));

export const SECRET = '5e'.repeat(32);

/** A transaction of this id. */
export const tx = (tx_hash: string): StoredTransaction => ({ tx_hex: '0100', tx_hash });

const pair = buildSwapPair({
  startedAt: START,
  lockDuration: LOCK_DURATION,
  amounts: { maker: '2.4', taker: '3' },
  takerPath: ['Started', 'Negotiated'],
  makerPath: ['Started', 'Negotiated'],
});
const dataOf = (role: 'taker' | 'maker', seq: number) => pair[role].events[seq]?.data;

export const takerStarted = dataOf('taker', 0) as TakerStarted;
export const takerNegotiated: TakerNegotiated = {
  ...(dataOf('taker', 1) as TakerNegotiated),
  maker_payment_locktime: MAKER_LOCK,
};
export const makerStarted: MakerStarted = {
  ...(dataOf('maker', 0) as MakerStarted),
  started_at: START,
  maker_payment_lock: MAKER_LOCK,
};
export const makerNegotiated = dataOf('maker', 1) as MakerNegotiated;

/** A taker that negotiated the swap of 3 MARTY for 2.4 DOC, with the given facts beside. */
export function takerContext(changes: Partial<TakerSwapContext> = {}): TakerSwapContext {
  const agreed = { started: takerStarted, negotiated: takerNegotiated, lastEventAt: at(0) };
  return { ...initialTakerSwapContext(), ...agreed, ...changes };
}

/** A maker that negotiated the swap of 2.4 DOC for 3 MARTY, with the given facts beside. */
export function makerContext(changes: Partial<MakerSwapContext> = {}): MakerSwapContext {
  const agreed = { started: makerStarted, negotiated: makerNegotiated, lastEventAt: at(0) };
  return { ...initialMakerSwapContext(), ...agreed, ...changes };
}
