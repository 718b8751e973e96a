import { describe, expect, it } from 'vitest';
import type { PaymentView } from '../../../../../src/ports/chain.ts';
import type { SwapMessageKind } from '../../../../../src/ports/peers.ts';
import type { RuntimeChain } from '../../../../../src/runtime/loop/gate.ts';
import { createPair, type Pair, type PairOptions, requestOf, type Side, UUID } from '../../../../support/swap-pair.ts';

const MINUTE = 60_000;

async function begin(pair: Pair, changes: Parameters<typeof requestOf>[1] = {}): Promise<void> {
  for (const side of ['maker', 'taker'] as const) await pair.nodes[side].runtime.startSwap(requestOf(side, changes));
}

/** The first event of a type in a side's log. */
async function eventOf(pair: Pair, side: Side, type: string) {
  const records = await pair.nodes[side].log.read(`${side}-swap/${UUID}`);
  return records.find((record) => record.type === type);
}

async function errorOf(pair: Pair, side: Side, type: string): Promise<unknown> {
  return ((await eventOf(pair, side, type))?.data as { readonly error?: unknown } | undefined)?.error;
}

async function secondsBetween(pair: Pair, side: Side, types: readonly [string, string]): Promise<number> {
  const [first, last] = await Promise.all(types.map((type) => eventOf(pair, side, type)));
  return Math.floor((last?.at ?? Number.NaN) / 1000) - Math.floor((first?.at ?? Number.NaN) / 1000);
}

/** Drops messages of these kinds, and notes all that were sent. */
function deafTo(...kinds: readonly SwapMessageKind[]) {
  const sent: unknown[] = [];
  const network: NonNullable<PairOptions['network']> = {
    policy: ({ envelope, deliver }) => {
      sent.push(envelope.message);
      if (!kinds.includes(envelope.message.kind)) deliver();
    },
  };
  return { sent, network };
}

/** Changes what one side sees of payments on one coin's chain, or hides it for as long as the change gives null. */
function seeing(
  who: Side,
  { coin, change }: { readonly coin: string; readonly change: (view: PaymentView) => PaymentView | null },
): PairOptions {
  const wrap = (chain: RuntimeChain): RuntimeChain => ({
    ...chain,
    payment: async (query) => {
      const answer = await chain.payment(query);
      if (!answer.ok) return answer;
      const value = change(answer.value);
      if (value !== null) return { ok: true, value };
      return { ok: false, fault: { kind: 'unavailable', message: 'no answer' } };
    },
  });
  return {
    options: (side, { chains }) =>
      side === who ? { chains: chains.map((chain) => (chain.traits.coin === coin ? wrap(chain) : chain)) } : {},
  };
}

describe('the windows of a negotiation', () => {
  it('a taker who hears no offer gives up after 180 s, and so does a maker who hears no reply', async () => {
    const { sent, network } = deafTo('negotiation', 'negotiationReply');
    const pair = createPair({ network });
    await begin(pair);
    await pair.clock.advance(10 * MINUTE);
    for (const side of ['maker', 'taker'] as const) {
      expect(await errorOf(pair, side, 'NegotiateFailed')).toBe('"Timeout (181 > 180)"');
      expect(await secondsBetween(pair, side, ['Started', 'NegotiateFailed'])).toBe(181);
    }
    expect(sent.filter((message) => (message as { kind: string }).kind === 'negotiated')).toEqual([
      { kind: 'negotiated', accepted: false },
    ]);
  });

  it('a taker waits 180 s for the answer, counted from the offer', async () => {
    const { network } = deafTo('negotiated');
    const pair = createPair({ network });
    await pair.nodes.taker.runtime.startSwap(requestOf('taker'));
    await pair.clock.advance(50_000);
    await pair.nodes.maker.runtime.startSwap(requestOf('maker'));
    await pair.clock.advance(10 * MINUTE);
    expect(await errorOf(pair, 'taker', 'NegotiateFailed')).toBe('"Timeout (181 > 180)"');
    expect(await secondsBetween(pair, 'taker', ['MessageReceived', 'NegotiateFailed'])).toBe(181);
    expect(await secondsBetween(pair, 'taker', ['Started', 'NegotiateFailed'])).toBeGreaterThan(220);
  });

  it('a text gives the time that has passed, not the first at which it could have failed', async () => {
    const pair = createPair();
    await pair.nodes.taker.runtime.startSwap(requestOf('taker'));
    await pair.clock.advance(60_000);
    pair.nodes.taker.die();
    await pair.clock.advance(10 * MINUTE);
    pair.restart('taker');
    await pair.nodes.taker.runtime.resumeAll();
    await pair.clock.advance(1000);
    expect(await errorOf(pair, 'taker', 'NegotiateFailed')).toBe('"Timeout (660 > 180)"');
  });
});

describe('a maker that waits for the taker payment', () => {
  it('finds it although its own chain does not answer, and ends the swap well', async () => {
    let silent = false;
    const pair = createPair(seeing('maker', { coin: 'DOC', change: (view) => (silent ? null : view) }));
    await begin(pair);
    expect(await pair.until(() => pair.types('maker').includes('MakerPaymentSent'), 10)).toBe(true);
    silent = true;
    expect(await pair.until(() => pair.types('maker').includes('TakerPaymentReceived'), 30)).toBe(true);
    silent = false;
    expect(await pair.until(() => pair.types('maker').includes('Finished'), 30)).toBe(true);
    expect((await pair.nodes.maker.runtime.status(UUID))?.outcome).toBe('completed');
  });

  it('gives up at the end of the wait although its own chain does not answer', async () => {
    let silent = false;
    const pair = createPair(seeing('maker', { coin: 'DOC', change: (view) => (silent ? null : view) }));
    await begin(pair);
    expect(await pair.until(() => pair.types('maker').includes('MakerPaymentSent'), 10)).toBe(true);
    pair.nodes.taker.die();
    pair.restart('maker');
    silent = true;
    await pair.nodes.maker.runtime.resumeAll();
    expect(await pair.until(() => pair.types('maker').includes('TakerPaymentValidateFailed'), 200)).toBe(true);
    const failed = await secondsBetween(pair, 'maker', ['Started', 'TakerPaymentValidateFailed']);
    expect(failed).toBe((7800 * 2) / 5 + (7800 * 3) / 5 + 91);
  });

  it('gives the message three fifths of the lock and 90 s from its own confirmation', async () => {
    const pair = createPair();
    await begin(pair);
    expect(await pair.until(() => pair.types('maker').includes('MakerPaymentSent'), 10)).toBe(true);
    pair.nodes.taker.die();
    expect(await pair.until(() => pair.types('maker').includes('TakerPaymentValidateFailed'), 200)).toBe(true);
    expect(await errorOf(pair, 'maker', 'TakerPaymentValidateFailed')).toBe('Timeout (4771 > 4770)');
    const failed = await secondsBetween(pair, 'maker', ['MakerPaymentSent', 'TakerPaymentValidateFailed']);
    expect(failed).toBeGreaterThanOrEqual(4771);
    expect(failed).toBeLessThan(4771 + 180);
  });

  it('waits for as many confirmations of its own payment as were agreed, and says how many', async () => {
    const pair = createPair();
    await begin(pair, { maker_payment_confirmations: 6 });
    expect(await pair.until(() => pair.types('maker').includes('MakerPaymentSent'), 10)).toBe(true);
    pair.nodes.taker.die();
    // It stays at five confirmations: more than were agreed for the taker's payment, and one short of its own.
    for (let block = 0; block < 5; block += 1) pair.chains.DOC.mine();
    for (let minute = 0; minute < 70; minute += 1) await pair.clock.advance(MINUTE);
    expect(await errorOf(pair, 'maker', 'MakerPaymentWaitConfirmFailed')).toMatch(
      /^!wait for maker payment confirmations: Waited too long until \d+ for transaction [0-9a-f]{64} to be confirmed 6 times$/,
    );
  });
});

describe('texts of a taker that are stored', () => {
  it('name the validation that a maker payment failed', async () => {
    const problem = 'Payment tx has no outputs';
    const pair = createPair(
      seeing('taker', { coin: 'DOC', change: (view) => (view.funding === null ? view : { ...view, problem }) }),
    );
    await begin(pair);
    expect(await pair.until(() => pair.types('taker').includes('MakerPaymentValidateFailed'), 30)).toBe(true);
    expect(await errorOf(pair, 'taker', 'MakerPaymentValidateFailed')).toBe(`!validate maker payment: ${problem}`);
  });

  it('name the wait for a maker payment that did not come', async () => {
    const { network } = deafTo('takerFee');
    const pair = createPair({ network });
    await begin(pair);
    expect(await pair.until(() => pair.types('taker').includes('MakerPaymentValidateFailed'), 60)).toBe(true);
    expect(await errorOf(pair, 'taker', 'MakerPaymentValidateFailed')).toBe(
      "Error waiting for 'maker-payment' data: Timeout (691 > 690)",
    );
  });

  it('end with the space of the real node if nobody claimed its payment', async () => {
    const pair = createPair();
    await begin(pair);
    expect(await pair.until(() => pair.types('taker').includes('TakerPaymentSent'), 60)).toBe(true);
    pair.nodes.maker.die();
    expect(await pair.until(() => pair.types('taker').includes('TakerPaymentWaitForSpendFailed'), 200)).toBe(true);
    expect(await errorOf(pair, 'taker', 'TakerPaymentWaitForSpendFailed')).toMatch(
      /^Waited too long until \d+ for transaction [0-9a-f]{64} 0 to be spent $/,
    );
  });
});
