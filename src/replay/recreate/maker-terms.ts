import { makerLockAt } from '../../../machines/deadlines/table.ts';
import type { MakerNegotiated, MakerStarted, TakerNegotiated, TakerStarted } from '../../events/payloads.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import { agreedOf, exactStart, fromNegotiated, laterGrounds, startGround, toldOf } from './both-sides.ts';
import { certain, type Ground, unknown } from './draft.ts';
import { fieldMissing, noSecretHash } from './recreate-error.ts';
import type { RecreateForm } from './source.ts';

/** What a taker's log begins with, and how the maker's is to be written. */
export type TakerTerms = {
  readonly started: TakerStarted;
  readonly negotiated: TakerNegotiated;
  readonly form: RecreateForm;
};

const HIDDEN_SECRET = '0'.repeat(64);

/**
 * A maker's Started payload, out of the first two of its taker.
 *
 * @throws RecreateError when the taker's log lacks the secret hash or its own key.
 */
export function makerStarted(terms: TakerTerms): MakerStarted {
  const { started, negotiated } = terms;
  if (negotiated.secret_hash === null) throw noSecretHash();
  if (started.my_persistent_pub === null) throw fieldMissing('my_persistent_pub');
  return {
    taker_coin: started.taker_coin,
    maker_coin: started.maker_coin,
    taker: started.my_persistent_pub.slice(2),
    secret: HIDDEN_SECRET,
    secret_hash: negotiated.secret_hash,
    my_persistent_pub: negotiated.maker_pubkey,
    ...agreedOf(started),
    maker_payment_lock: negotiated.maker_payment_locktime,
    uuid: started.uuid,
    started_at: startOf(terms) ?? started.started_at,
    maker_coin_start_block: started.maker_coin_start_block,
    taker_coin_start_block: started.taker_coin_start_block,
    maker_payment_trade_fee: null,
    taker_payment_spend_trade_fee: null,
    ...toldOf(negotiated),
  };
}

function startOf(terms: TakerTerms): UnixSeconds | undefined {
  const { started, negotiated } = terms;
  const length = makerLockAt(0 as UnixSeconds, started.lock_duration, started.taker_coin);
  return exactStart(negotiated.maker_payment_locktime, length, terms);
}

/** What each member of {@link makerStarted} rests on. */
export function startedGrounds(terms: TakerTerms): Readonly<Record<string, Ground>> {
  return {
    taker: certain('Started.my_persistent_pub at 0', 'It is that key without its parity byte.'),
    secret: unknown('nothing', 'The maker alone knew it at its start; zeros stand in its place.'),
    secret_hash: fromNegotiated('secret_hash', 'The maker chose it and told it.'),
    my_persistent_pub: fromNegotiated('maker_pubkey', 'It is the key that the maker told; zeros where it was hidden.'),
    maker_payment_lock: fromNegotiated('maker_payment_locktime', 'The maker told its lock.'),
    started_at: startGround('maker', startOf(terms) !== undefined),
    ...laterGrounds('maker', ['maker_payment_trade_fee', 'taker_payment_spend_trade_fee']),
  };
}

/** A maker's Negotiated payload, out of the first two of its taker. */
export function makerNegotiated({ started, negotiated }: TakerTerms): MakerNegotiated {
  return {
    taker_payment_locktime: started.taker_payment_lock,
    taker_pubkey: started.my_persistent_pub ?? '',
    maker_coin_swap_contract_addr:
      negotiated.maker_coin_swap_contract_addr ?? started.maker_coin_swap_contract_address ?? null,
    taker_coin_swap_contract_addr:
      negotiated.taker_coin_swap_contract_addr ?? started.taker_coin_swap_contract_address ?? null,
    maker_coin_htlc_pubkey: started.maker_coin_htlc_pubkey,
    taker_coin_htlc_pubkey: started.taker_coin_htlc_pubkey,
  };
}

/** What each member of {@link makerNegotiated} rests on. */
export const NEGOTIATED_GROUNDS: Readonly<Record<string, Ground>> = {
  taker_payment_locktime: certain('Started.taker_payment_lock at 0', 'The taker told its lock.'),
  taker_pubkey: certain('Started.my_persistent_pub at 0', 'The taker told its key.'),
  maker_coin_swap_contract_addr: certain(
    'Negotiated.maker_coin_swap_contract_addr at 1, else Started',
    'Both use the same contract.',
  ),
  taker_coin_swap_contract_addr: certain(
    'Negotiated.taker_coin_swap_contract_addr at 1, else Started',
    'Both use the same contract.',
  ),
  maker_coin_htlc_pubkey: certain('Started.maker_coin_htlc_pubkey at 0', 'The taker told its keys.'),
  taker_coin_htlc_pubkey: certain('Started.taker_coin_htlc_pubkey at 0', 'The taker told its keys.'),
};
