import type { SwapRequest } from '../../../events/journal.ts';
import type { Quote } from '../../../ports/chain.ts';
import { type Millis, toUnixSeconds, type UnixSeconds } from '../../../primitives/time.ts';
import type { Leg, NewEvent } from '../../command.ts';
import { addContracts, type SideInputs } from '../side-inputs.ts';

export type Starting = { readonly quotes: Readonly<Record<Leg, Quote>>; readonly now: Millis };

/** What a side stores about itself, where the real node does. */
export type OwnPart = {
  /** The other side, and what only this side knows. */
  readonly who: Readonly<Record<string, unknown>>;
  readonly lock: Readonly<Record<string, UnixSeconds>>;
  readonly wait?: Readonly<Record<string, UnixSeconds>>;
  readonly fees: Readonly<Record<string, unknown>>;
};

/** The payload with which a side's log starts. */
export function startedEvent(
  { keys, traits }: SideInputs,
  { quotes, now }: Starting,
  { request, part }: { readonly request: SwapRequest; readonly part: (startedAt: UnixSeconds) => OwnPart },
): NewEvent {
  const startedAt = toUnixSeconds(now);
  const { who, lock, wait, fees } = part(startedAt);
  const data: Record<string, unknown> = {
    taker_coin: request.taker_coin,
    maker_coin: request.maker_coin,
    ...who,
    my_persistent_pub: request.my_persistent_pub,
    lock_duration: request.lock_duration,
    maker_amount: request.maker_amount,
    taker_amount: request.taker_amount,
    maker_payment_confirmations: request.maker_payment_confirmations,
    maker_payment_requires_nota: request.maker_payment_requires_nota,
    taker_payment_confirmations: request.taker_payment_confirmations,
    taker_payment_requires_nota: request.taker_payment_requires_nota,
    ...lock,
    uuid: request.uuid,
    started_at: startedAt,
    ...wait,
    maker_coin_start_block: quotes.maker.height,
    taker_coin_start_block: quotes.taker.height,
    ...fees,
  };
  addContracts(traits, data);
  data['maker_coin_htlc_pubkey'] = keys.maker;
  data['taker_coin_htlc_pubkey'] = keys.taker;
  data['p2p_privkey'] = null;
  return { type: 'Started', data };
}
