import { describe, expect, it } from 'vitest';
import type { PaymentTerms } from '../../../../../src/ports/chain.ts';
import { DEFAULT_RUNTIME_POLICY, type RuntimeChain } from '../../../../../src/runtime/index.ts';
import type { SeenTransaction } from '../../../../../src/sim/chains/types.ts';
import {
  chainOf,
  foreignSwap,
  gainOf,
  savedSwap,
  standing,
  storedEvents,
  walletOf,
} from '../../../../support/foreign-swap.ts';
import {
  type Coin,
  createPair,
  type Pair,
  type PairOptions,
  requestOf,
  type Side,
  UUID,
} from '../../../../support/swap-pair.ts';

const FOREVER = { from: 0 as never, until: 9e9 as never };
const SECRET = '5e'.repeat(32);

/** Both sides' terms, as the engines ask for them, so that the tests can act past the engines. */
type Watched = { readonly pair: Pair; readonly terms: Map<string, PaymentTerms> };

function watchedPair(given: PairOptions = {}): Watched {
  const terms = new Map<string, PaymentTerms>();
  const spied = (chain: RuntimeChain): RuntimeChain => ({
    ...chain,
    payment: (query) => {
      terms.set(chain.traits.coin, query.terms);
      return chain.payment(query);
    },
  });
  // Watched long enough for what comes after the locks.
  const policy = { ...DEFAULT_RUNTIME_POLICY, guardFactor: 1000, guardFor: 10 * 86_400 };
  const pair = createPair({
    ...given,
    options: (side, parts) => ({ policy, ...given.options?.(side, parts), chains: parts.chains.map(spied) }),
  });
  return { pair, terms };
}

async function swapped(given?: PairOptions): Promise<Watched> {
  const watched = watchedPair(given);
  const { pair } = watched;
  for (const own of ['maker', 'taker'] as const) await pair.nodes[own].runtime.startSwap(requestOf(own));
  await pair.until(() => pair.types('maker').includes('Finished') && pair.types('taker').includes('Finished'), 60);
  return watched;
}

function lastOf(pair: Pair, coin: Coin, purpose: SeenTransaction['purpose']): SeenTransaction {
  const found = chainOf(pair, coin)
    .ledger.transactions()
    .filter((each) => each.purpose === purpose)
    .at(-1);
  if (found === undefined) throw new Error(`there is no ${purpose} of ${coin}`);
  return found;
}

/** Takes a confirmed transaction out of the chain and out of the mempool. */
function undo(pair: Pair, coin: Coin, { hash, confirmations }: SeenTransaction): void {
  chainOf(pair, coin).reorg({ depth: confirmations, drop: [hash] });
}

/** The refund of a payment takes the place of the claim, which cannot go out again. */
function takeBackInstead(
  { pair, terms }: Watched,
  { coin, of, from }: { readonly coin: Coin; readonly of: Side; readonly from: Side },
): void {
  walletOf(pair, from, coin).setFaults([{ kind: 'broadcast', effect: 'refused', ...FOREVER }]);
  undo(pair, coin, lastOf(pair, coin, 'claim'));
  const { hex, hash } = lastOf(pair, coin, 'payment');
  const refund = walletOf(pair, of, coin).prepare({
    purpose: 'refund',
    terms: terms.get(coin) as PaymentTerms,
    funding: { tx_hex: hex, tx_hash: hash } as never,
    urgency: 5,
    replaces: null,
  });
  if (!refund.ok) throw new Error(refund.fault.message);
  expect(chainOf(pair, coin).submit(refund.value.tx_hex).ok).toBe(true);
}

async function settledOf(pair: Pair, side: Side): Promise<readonly unknown[]> {
  const records = await pair.nodes[side].log.read(`${side}-swap/${UUID}`);
  const end = records.findIndex(({ type }) => type === 'Finished');
  return records
    .slice(end)
    .filter(({ type }) => type === 'PaymentReorged' || type === 'PaymentSettled')
    .map(({ type, data }) => {
      const { payment, how, by } = data as { payment: string; how?: string; by?: string };
      return type === 'PaymentReorged' ? [type, payment] : [type, payment, how, by];
    });
}

async function labelsOf({ nodes }: Pair, side: Side) {
  const [summary] = await nodes[side].log.find({ machine: `${side}-swap` });
  return summary?.labels;
}

describe('a claim that a reorg undoes after the end', () => {
  it.each([
    ['taker', 'DOC', 'maker'],
    ['maker', 'MARTY', 'taker'],
  ] as const)('opens the swap of the %s until it is final again', async (side, coin, payment) => {
    const { pair } = await swapped();
    const { runtime } = pair.nodes[side];
    walletOf(pair, side, coin).setFaults([{ kind: 'broadcast', effect: 'refused', ...FOREVER }]);
    undo(pair, coin, lastOf(pair, coin, 'claim'));
    await pair.minutes(2);
    expect(await runtime.status(UUID)).toMatchObject({
      outcome: 'claim-pending',
      funds: { [`${payment}Payment`]: { status: 'uncertain', claimable: [{ by: side, how: 'secret' }, {}] } },
      next: { who: 'engine', action: payment === 'maker' ? 'spendMakerPayment' : 'spendTakerPayment' },
    });
    expect((await runtime.status(UUID))?.next?.text).toContain(`has undone the claim of the ${payment} payment`);
    expect(await labelsOf(pair, side)).toMatchObject({ outcome: 'claim-pending', finished: false });
    expect(await settledOf(pair, side)).toEqual([['PaymentReorged', payment]]);
    walletOf(pair, side, coin).setFaults([]);
    await pair.minutes(10);
    expect(await settledOf(pair, side)).toEqual([
      ['PaymentReorged', payment],
      ['PaymentSettled', payment, 'claimed', 'self'],
    ]);
    expect(await runtime.status(UUID)).toMatchObject({ outcome: 'completed', next: null });
    expect(await labelsOf(pair, side)).toMatchObject({ outcome: 'completed', finished: true });
  });

  it('is made again after a restart in between', async () => {
    const { pair } = await swapped();
    walletOf(pair, 'taker', 'DOC').setFaults([{ kind: 'broadcast', effect: 'refused', ...FOREVER }]);
    undo(pair, 'DOC', lastOf(pair, 'DOC', 'claim'));
    await pair.minutes(2);
    walletOf(pair, 'taker', 'DOC').setFaults([]);
    pair.restart('taker');
    await pair.nodes.taker.runtime.resumeAll();
    await pair.minutes(10);
    expect((await pair.nodes.taker.runtime.status(UUID))?.outcome).toBe('completed');
    expect(standing(pair, 'DOC', 'taker')).toEqual(['claim']);
  });

  it('is lost to the refund that replaced it, and the log names who made that refund', async () => {
    const { pair, terms } = await swapped();
    const { runtime } = pair.nodes.taker;
    await pair.minutes(300);
    takeBackInstead({ pair, terms }, { coin: 'DOC', of: 'maker', from: 'taker' });
    await pair.minutes(10);
    expect(await settledOf(pair, 'taker')).toEqual([
      ['PaymentReorged', 'maker'],
      ['PaymentSettled', 'maker', 'refunded', 'counterparty'],
      ['PaymentSettled', 'taker', 'claimed', 'counterparty'],
    ]);
    expect(await runtime.status(UUID)).toMatchObject({
      outcome: 'lost',
      funds: { makerPayment: { status: 'refunded', by: 'maker' }, takerPayment: { status: 'spent', by: 'maker' } },
    });
    expect(await labelsOf(pair, 'taker')).toMatchObject({ outcome: 'lost' });
  });
});

describe('a taker whose claim was replaced by the maker’s refund, and whose payment is gone with what took it', () => {
  it('voids its payment, because anyone who has its bytes could take it again', async () => {
    const { pair, terms } = await swapped();
    await pair.minutes(300);
    pair.nodes.maker.die();
    takeBackInstead({ pair, terms }, { coin: 'DOC', of: 'maker', from: 'taker' });
    const payment = lastOf(pair, 'MARTY', 'payment');
    const { hash } = lastOf(pair, 'MARTY', 'claim');
    chainOf(pair, 'MARTY').reorg({ depth: payment.confirmations, drop: [payment.hash, hash] });
    await pair.minutes(30);
    expect(standing(pair, 'MARTY', 'taker')).toEqual(['fee', 'void']);
    expect(chainOf(pair, 'MARTY').submit(payment.hex).ok).toBe(false);
    expect(await pair.nodes.taker.runtime.status(UUID)).toMatchObject({
      outcome: 'failed-before-payment',
      funds: { makerPayment: { status: 'refunded', by: 'maker' }, takerPayment: { status: 'none' } },
      next: null,
    });
    expect(await settledOf(pair, 'taker')).toEqual([
      ['PaymentReorged', 'maker'],
      ['PaymentSettled', 'maker', 'refunded', 'counterparty'],
      ['PaymentSettled', 'taker', 'voided', 'self'],
    ]);
  });
});

describe('a maker whose claim was replaced by the taker’s refund after the end', () => {
  it('takes its own payment back, which nobody has claimed', async () => {
    const { pair, terms } = watchedPair();
    for (const own of ['maker', 'taker'] as const) await pair.nodes[own].runtime.startSwap(requestOf(own));
    await pair.until(() => pair.types('taker').includes('TakerPaymentSent'), 60);
    pair.nodes.taker.die();
    await pair.until(() => pair.types('maker').includes('Finished'), 60);
    await pair.minutes(300);
    takeBackInstead({ pair, terms }, { coin: 'MARTY', of: 'taker', from: 'maker' });
    await pair.minutes(20);
    expect(await settledOf(pair, 'maker')).toEqual([
      ['PaymentReorged', 'taker'],
      ['PaymentSettled', 'taker', 'refunded', 'counterparty'],
      ['PaymentSettled', 'maker', 'refunded', 'self'],
    ]);
    expect(standing(pair, 'DOC', 'maker')).toEqual(['payment', 'refund']);
    expect((await pair.nodes.maker.runtime.status(UUID))?.outcome).toBe('refunded');
  });
});

describe('a refund that a reorg undoes after the end', () => {
  async function refunded(): Promise<Watched> {
    const watched = watchedPair();
    const { pair } = watched;
    for (const own of ['maker', 'taker'] as const) await pair.nodes[own].runtime.startSwap(requestOf(own));
    await pair.until(() => pair.types('maker').includes('MakerPaymentSent'), 60);
    pair.nodes.maker.die();
    expect(await pair.until(() => pair.types('taker').includes('Finished'), 400)).toBe(true);
    return watched;
  }

  it('is made again', async () => {
    const { pair } = await refunded();
    undo(pair, 'MARTY', lastOf(pair, 'MARTY', 'refund'));
    await pair.minutes(1);
    expect((await pair.nodes.taker.runtime.status(UUID))?.outcome).toBe('refund-pending');
    await pair.minutes(15);
    expect(await settledOf(pair, 'taker')).toEqual([
      ['PaymentReorged', 'taker'],
      ['PaymentSettled', 'taker', 'refunded', 'self'],
    ]);
    expect((await pair.nodes.taker.runtime.status(UUID))?.outcome).toBe('refunded');
  });

  it('becomes a claim when the maker claims the payment instead', async () => {
    const { pair, terms } = await refunded();
    walletOf(pair, 'taker', 'MARTY').setFaults([{ kind: 'broadcast', effect: 'refused', ...FOREVER }]);
    undo(pair, 'MARTY', lastOf(pair, 'MARTY', 'refund'));
    const { hex, hash } = lastOf(pair, 'MARTY', 'payment');
    const claim = walletOf(pair, 'maker', 'MARTY').prepare({
      purpose: 'claim',
      terms: terms.get('MARTY') as PaymentTerms,
      funding: { tx_hex: hex, tx_hash: hash } as never,
      secret: SECRET,
      urgency: 5,
      replaces: null,
    });
    if (!claim.ok) throw new Error(claim.fault.message);
    expect(chainOf(pair, 'MARTY').submit(claim.value.tx_hex).ok).toBe(true);
    await pair.minutes(20);
    expect(standing(pair, 'DOC', 'taker')).toEqual(['claim']);
    const settled = await settledOf(pair, 'taker');
    expect(settled[0]).toEqual(['PaymentReorged', 'taker']);
    expect(settled).toContainEqual(['PaymentSettled', 'taker', 'claimed', 'counterparty']);
    expect(settled).toContainEqual(['PaymentSettled', 'maker', 'claimed', 'self']);
    expect((await pair.nodes.taker.runtime.status(UUID))?.outcome).toBe('completed');
    expect(gainOf(pair, 'DOC', 'taker')).toBeGreaterThan(149_000_000n);
  });
});

it('a swap that was taken over when it had ended is watched as well', async () => {
  const { pair, text } = await foreignSwap({ side: 'taker', runUntil: 'Finished' });
  const { runtime } = pair.nodes.taker;
  await runtime.importText(text);
  await pair.minutes(1);
  expect(await settledOf(pair, 'taker')).toEqual([['PaymentSettled', 'maker', 'claimed', 'self']]);
  undo(pair, 'DOC', lastOf(pair, 'DOC', 'claim'));
  await pair.minutes(1);
  expect((await runtime.status(UUID))?.outcome).toBe('claim-pending');
  await pair.minutes(15);
  expect((await runtime.status(UUID))?.outcome).toBe('completed');
  expect(standing(pair, 'DOC', 'taker')).toEqual(['claim']);
});

it('is not treated as undone because a node never had its payments', async () => {
  const { pair } = await swapped();
  const text = savedSwap('taker', await storedEvents(pair, 'taker'));
  const elsewhere = createPair();
  const { runtime } = elsewhere.nodes.taker;
  await runtime.importText(text);
  await elsewhere.minutes(1);
  expect(await settledOf(elsewhere, 'taker')).toEqual([]);
  expect((await runtime.status(UUID))?.outcome).toBe('completed');
});

it('an own payment that was voided, but confirms nevertheless, is refunded', async () => {
  const { pair } = watchedPair();
  chainOf(pair, 'MARTY').setFaults([{ kind: 'censor', purposes: ['payment'], ...FOREVER }]);
  for (const own of ['maker', 'taker'] as const) await pair.nodes[own].runtime.startSwap(requestOf(own));
  await pair.until(() => pair.types('maker').includes('MakerPaymentSent'), 60);
  pair.nodes.maker.die();
  expect(await pair.until(() => pair.types('taker').includes('Finished'), 400)).toBe(true);
  const payment = chainOf(pair, 'MARTY')
    .ledger.transactions('taker')
    .find(({ purpose }) => purpose === 'payment');
  expect(standing(pair, 'MARTY', 'taker')).toEqual(['fee', 'void']);
  const { confirmations, hash } = lastOf(pair, 'MARTY', 'void');
  chainOf(pair, 'MARTY').reorg({
    depth: confirmations,
    drop: [hash],
    blocks: [{ extra: [payment?.hex ?? ''] }, ...Array.from({ length: confirmations }, () => ({}))],
  });
  await pair.minutes(1);
  expect(await settledOf(pair, 'taker')).toEqual([['PaymentReorged', 'taker']]);
  expect(await pair.nodes.taker.runtime.status(UUID)).toMatchObject({
    outcome: 'refund-pending',
    next: { who: 'engine' },
  });
  await pair.minutes(200);
  expect(standing(pair, 'MARTY', 'taker')).toEqual(['fee', 'payment', 'refund']);
  expect(await settledOf(pair, 'taker')).toContainEqual(['PaymentSettled', 'taker', 'refunded', 'self']);
  expect((await pair.nodes.taker.runtime.status(UUID))?.outcome).toBe('refunded');
});
