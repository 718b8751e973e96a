import { takerTimesAt } from '../../../machines/deadlines/table.ts';
import type { MakerNegotiated, MakerStarted, TakerNegotiated, TakerStarted } from '../../events/payloads.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import { agreedOf, exactStart, fromNegotiated, laterGrounds, startGround, toldOf } from './both-sides.ts';
import { assumed, certain, type Ground } from './draft.ts';
import type { RecreateForm } from './source.ts';

/** What a maker's log begins with, and how the taker's is to be written. */
export type MakerTerms = {
  readonly started: MakerStarted;
  readonly negotiated: MakerNegotiated;
  readonly form: RecreateForm;
};

/** A taker's Started payload, out of the first two of its maker. */
export function takerStarted(terms: MakerTerms): TakerStarted {
  const { started, negotiated } = terms;
  const { lock_duration } = started;
  const startedAt = startOf(terms) ?? started.started_at;
  return {
    taker_coin: started.taker_coin,
    maker_coin: started.maker_coin,
    maker: started.my_persistent_pub.slice(2),
    my_persistent_pub: negotiated.taker_pubkey,
    ...agreedOf(started),
    taker_payment_lock: negotiated.taker_payment_locktime,
    uuid: started.uuid,
    started_at: startedAt,
    maker_payment_wait: takerTimesAt(startedAt, lock_duration).maker_payment_wait,
    maker_coin_start_block: started.maker_coin_start_block,
    taker_coin_start_block: started.taker_coin_start_block,
    fee_to_send_taker_fee: null,
    taker_payment_trade_fee: null,
    maker_payment_spend_trade_fee: null,
    ...toldOf(negotiated),
  };
}

function startOf(terms: MakerTerms): UnixSeconds | undefined {
  return exactStart(terms.negotiated.taker_payment_locktime, terms.started.lock_duration, terms);
}

/** What each member of {@link takerStarted} rests on. */
export function startedGrounds(terms: MakerTerms): Readonly<Record<string, Ground>> {
  const isExact = startOf(terms) !== undefined;
  return {
    maker: certain('Started.my_persistent_pub at 0', 'It is that key without its parity byte.'),
    my_persistent_pub: fromNegotiated('taker_pubkey', 'It is the key that the taker told; zeros where it was hidden.'),
    taker_payment_lock: fromNegotiated('taker_payment_locktime', 'The taker told its lock.'),
    started_at: startGround('taker', isExact),
    maker_payment_wait: isExact
      ? fromNegotiated('taker_payment_locktime', 'It is two fifths of the lock duration after the start.')
      : assumed('Started.started_at at 0', 'It is two fifths of the lock duration after the start.'),
    ...laterGrounds('taker', ['fee_to_send_taker_fee', 'taker_payment_trade_fee', 'maker_payment_spend_trade_fee']),
  };
}

/** A taker's Negotiated payload, out of the first two of its maker. */
export function takerNegotiated({ started, negotiated }: MakerTerms, secretHash: string): TakerNegotiated {
  return {
    maker_payment_locktime: started.maker_payment_lock,
    maker_pubkey: started.my_persistent_pub,
    secret_hash: secretHash,
    maker_coin_swap_contract_addr: negotiated.maker_coin_swap_contract_addr,
    taker_coin_swap_contract_addr: negotiated.taker_coin_swap_contract_addr,
    maker_coin_htlc_pubkey: started.maker_coin_htlc_pubkey,
    taker_coin_htlc_pubkey: started.taker_coin_htlc_pubkey,
  };
}

/** What each member of {@link takerNegotiated} rests on. */
export const NEGOTIATED_GROUNDS: Readonly<Record<string, Ground>> = {
  maker_payment_locktime: certain('Started.maker_payment_lock at 0', 'The maker told its lock.'),
  maker_pubkey: certain('Started.my_persistent_pub at 0', 'The maker told its key.'),
  secret_hash: certain('Started.secret_hash at 0', 'The maker chose it and told it.'),
  maker_coin_htlc_pubkey: certain('Started.maker_coin_htlc_pubkey at 0', 'The maker told its keys.'),
  taker_coin_htlc_pubkey: certain('Started.taker_coin_htlc_pubkey at 0', 'The maker told its keys.'),
};
