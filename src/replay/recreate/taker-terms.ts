import { takerTimesAt } from '../../../machines/deadlines/table.ts';
import type { MakerNegotiated, MakerStarted, TakerNegotiated, TakerStarted } from '../../events/payloads.ts';
import { MAX_CLOCK_DIFFERENCE } from '../../htlc/lock-times.ts';
import { addSeconds, type UnixSeconds } from '../../primitives/time.ts';
import { assumed, certain, type Ground, unknown } from './draft.ts';
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
  const makerContract = negotiated.maker_coin_swap_contract_addr;
  const takerContract = negotiated.taker_coin_swap_contract_addr;
  const startedAt = exactStart(terms) ?? started.started_at;
  return {
    taker_coin: started.taker_coin,
    maker_coin: started.maker_coin,
    maker: started.my_persistent_pub.slice(2),
    my_persistent_pub: negotiated.taker_pubkey,
    lock_duration,
    maker_amount: started.maker_amount,
    taker_amount: started.taker_amount,
    maker_payment_confirmations: started.maker_payment_confirmations,
    maker_payment_requires_nota: started.maker_payment_requires_nota,
    taker_payment_confirmations: started.taker_payment_confirmations,
    taker_payment_requires_nota: started.taker_payment_requires_nota,
    taker_payment_lock: negotiated.taker_payment_locktime,
    uuid: started.uuid,
    started_at: startedAt,
    maker_payment_wait: takerTimesAt(startedAt, lock_duration).maker_payment_wait,
    maker_coin_start_block: started.maker_coin_start_block,
    taker_coin_start_block: started.taker_coin_start_block,
    fee_to_send_taker_fee: null,
    taker_payment_trade_fee: null,
    maker_payment_spend_trade_fee: null,
    ...(makerContract === null ? {} : { maker_coin_swap_contract_address: makerContract }),
    ...(takerContract === null ? {} : { taker_coin_swap_contract_address: takerContract }),
    maker_coin_htlc_pubkey: negotiated.maker_coin_htlc_pubkey,
    taker_coin_htlc_pubkey: negotiated.taker_coin_htlc_pubkey,
    p2p_privkey: null,
  };
}

/**
 * Both parties hold the taker's lock to be exactly its start and the lock duration. Undefined in the real node's form, and for a
 * log of another rule.
 */
function exactStart({ started, negotiated, form }: MakerTerms): UnixSeconds | undefined {
  const start = addSeconds(negotiated.taker_payment_locktime, -started.lock_duration);
  return form === 'kdf' || Math.abs(start - started.started_at) > MAX_CLOCK_DIFFERENCE ? undefined : start;
}

/** What each member of {@link takerStarted} rests on. */
export function startedGrounds(terms: MakerTerms): Readonly<Record<string, Ground>> {
  const isExact = exactStart(terms) !== undefined;
  const negotiated = (member: string, because: string) => certain(`Negotiated.${member} at 1`, because);
  const exact = 'The lock is exactly the start and the lock duration, or both refuse.';
  return {
    maker: certain('Started.my_persistent_pub at 0', 'It is that key without its parity byte.'),
    my_persistent_pub: negotiated('taker_pubkey', 'It is the key that the taker told; zeros where it was hidden.'),
    taker_payment_lock: negotiated('taker_payment_locktime', 'The taker told its lock.'),
    started_at: isExact
      ? negotiated('taker_payment_locktime', exact)
      : assumed('Started.started_at at 0', 'The clocks of the parties were at most 60 s apart.'),
    maker_payment_wait: isExact
      ? negotiated('taker_payment_locktime', 'It is two fifths of the lock duration after the start.')
      : assumed('Started.started_at at 0', 'It is two fifths of the lock duration after the start.'),
    maker_coin_start_block: assumed('Started.maker_coin_start_block at 0', 'Both looked at about the same time.'),
    taker_coin_start_block: assumed('Started.taker_coin_start_block at 0', 'Both looked at about the same time.'),
    fee_to_send_taker_fee: unknown('nothing', 'It only locks an amount while the swap runs.'),
    taker_payment_trade_fee: unknown('nothing', 'It only locks an amount while the swap runs.'),
    maker_payment_spend_trade_fee: unknown('nothing', 'It only locks an amount while the swap runs.'),
    maker_coin_swap_contract_address: negotiated('maker_coin_swap_contract_addr', 'Both use the same contract.'),
    taker_coin_swap_contract_address: negotiated('taker_coin_swap_contract_addr', 'Both use the same contract.'),
    maker_coin_htlc_pubkey: negotiated('maker_coin_htlc_pubkey', 'The taker told its keys.'),
    taker_coin_htlc_pubkey: negotiated('taker_coin_htlc_pubkey', 'The taker told its keys.'),
    p2p_privkey: unknown('nothing', 'It never leaves its owner.'),
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
