import type { MakerNegotiated, MakerStarted, TakerNegotiated, TakerStarted } from '../../events/payloads.ts';
import { MAX_CLOCK_DIFFERENCE } from '../../htlc/lock-times.ts';
import { addSeconds, type Seconds, type UnixSeconds } from '../../primitives/time.ts';
import { append, assumed, type Certainty, certain, type Draft, type Ground, unknown } from './draft.ts';
import { bareTransaction, ground, originText, type RecreateForm, type SourceEvent } from './source.ts';

/*
 * What is the same whichever side's log is made: `source` is the side whose log there is, `made` the other one.
 */

type Party = 'maker' | 'taker';

const OTHER = { maker: 'taker', taker: 'maker' } as const;
const NAME = { maker: 'Maker', taker: 'Taker' } as const;

/** An event that the source tells of. */
export type Said = {
  readonly type: string;
  readonly data?: unknown;
  readonly certainty: Certainty;
  readonly because: string;
  readonly members?: Readonly<Record<string, Ground>>;
};

export function say({ draft }: { readonly draft: Draft }, source: SourceEvent, said: readonly Said[]): void {
  for (const { type, data = null, certainty, because, members = {} } of said) {
    append(draft, { type, at: source.at, data }, { event: ground(source, { certainty, because }), members });
  }
}

export function closed(made: Party): Said {
  return { type: 'Finished', certainty: 'assumed', because: `Nothing is left to do for the ${made}.` };
}

export function gaveUp(source: Party, type: string, event: SourceEvent): Said {
  const because = `The ${source} gave up, so the ${OTHER[source]} could not go on either.`;
  return { type, data: { error: originText(source, event) }, certainty: 'assumed', because };
}

export function refundAwaited(made: Party, waitUntil: UnixSeconds): Said {
  const because = `The ${made}'s payment stays locked, so it heads for the refund.`;
  const data = { wait_until: waitUntil };
  return { type: `${NAME[made]}PaymentWaitRefundStarted`, data, certainty: 'assumed', because };
}

/** The payment of the source reaches the other side. */
export function paymentReceived(source: Party, event: SourceEvent): readonly Said[] {
  const because = `The ${source} sends it again and again; the message may still have been lost.`;
  return [
    {
      type: `${NAME[source]}PaymentReceived`,
      data: bareTransaction(event.data),
      certainty: 'assumed',
      because,
    },
    { type: `${NAME[source]}PaymentWaitConfirmStarted`, certainty: 'assumed', because: 'It follows at once.' },
  ];
}

type Started = MakerStarted | TakerStarted;
type Negotiated = MakerNegotiated | TakerNegotiated;

/** The members of Started that both sides store alike, in the order in which they do. */
export function agreedOf(started: Started) {
  return {
    lock_duration: started.lock_duration,
    maker_amount: started.maker_amount,
    taker_amount: started.taker_amount,
    maker_payment_confirmations: started.maker_payment_confirmations,
    maker_payment_requires_nota: started.maker_payment_requires_nota,
    taker_payment_confirmations: started.taker_payment_confirmations,
    taker_payment_requires_nota: started.taker_payment_requires_nota,
  };
}

/** The last members of Started: what the side told when it negotiated. */
export function toldOf(negotiated: Negotiated) {
  const { maker_coin_swap_contract_addr: maker, taker_coin_swap_contract_addr: taker } = negotiated;
  return {
    ...(maker === null ? {} : { maker_coin_swap_contract_address: maker }),
    ...(taker === null ? {} : { taker_coin_swap_contract_address: taker }),
    maker_coin_htlc_pubkey: negotiated.maker_coin_htlc_pubkey,
    taker_coin_htlc_pubkey: negotiated.taker_coin_htlc_pubkey,
    p2p_privkey: null,
  };
}

/**
 * Both parties hold a lock to be exactly its owner's start and a length that the terms fix, so the lock tells the start.
 * Undefined in the real node's form, and for a log of another rule.
 */
export function exactStart(
  lock: UnixSeconds,
  length: Seconds,
  { started, form }: { readonly started: Started; readonly form: RecreateForm },
): UnixSeconds | undefined {
  const start = addSeconds(lock, -length);
  return form === 'kdf' || Math.abs(start - started.started_at) > MAX_CLOCK_DIFFERENCE ? undefined : start;
}

export function fromNegotiated(member: string, because: string): Ground {
  return certain(`Negotiated.${member} at 1`, because);
}

/** What the start of the made log rests on. */
export function startGround(made: Party, isExact: boolean): Ground {
  return isExact
    ? fromNegotiated(`${made}_payment_locktime`, 'The lock is exactly the start and the lock duration, or both refuse.')
    : assumed('Started.started_at at 0', 'The clocks of the parties were at most 60 s apart.');
}

/** What the members of Started after the start rest on; `fees` are those that the made log stores. */
export function laterGrounds(made: Party, fees: readonly string[]): Readonly<Record<string, Ground>> {
  const block = assumed('Started', 'Both looked at about the same time.');
  const fee = unknown('nothing', 'It only locks an amount while the swap runs.');
  const keys = `The ${made} told its keys.`;
  return {
    maker_coin_start_block: { ...block, from: 'Started.maker_coin_start_block at 0' },
    taker_coin_start_block: { ...block, from: 'Started.taker_coin_start_block at 0' },
    ...Object.fromEntries(fees.map((name) => [name, fee])),
    maker_coin_swap_contract_address: fromNegotiated('maker_coin_swap_contract_addr', 'Both use the same contract.'),
    taker_coin_swap_contract_address: fromNegotiated('taker_coin_swap_contract_addr', 'Both use the same contract.'),
    maker_coin_htlc_pubkey: fromNegotiated('maker_coin_htlc_pubkey', keys),
    taker_coin_htlc_pubkey: fromNegotiated('taker_coin_htlc_pubkey', keys),
    p2p_privkey: unknown('nothing', 'It never leaves its owner.'),
  };
}
