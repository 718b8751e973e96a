import { describe, expect, it } from 'vitest';
import type { RuntimeChain } from '../../../../../src/runtime/index.ts';
import { type ForeignSwap, foreignSwap, gainOf, standing, walletOf } from '../../../../support/foreign-swap.ts';
import { UUID } from '../../../../support/swap-pair.ts';

const OUTAGE = [{ kind: 'outage', from: 0 as never, until: 9e9 as never }] as const;

const FAILED = {
  type: 'TakerPaymentSpendFailed',
  data: { error: 'taker_swap:1] !taker_coin.send_maker_spends_taker_payment: rpc_clients:1] timeout' },
};
const WAITS = { type: 'MakerPaymentWaitRefundStarted', data: { wait_until: 1_700_020_000 } };
const REFUND_FAILED = [
  WAITS,
  { type: 'MakerPaymentRefundStarted' },
  { type: 'MakerPaymentRefundFailed', data: { error: 'x' } },
  { type: 'Finished' },
];

/** A maker whose claim is on the chain, and whose log says that it failed; the taker is away. */
const claimed = (stored: ForeignSwap['stored']): ForeignSwap => ({
  side: 'maker',
  otherDiesAfter: 'TakerPaymentSent',
  runUntil: 'TakerPaymentSpendConfirmed',
  cutBefore: 'TakerPaymentSpent',
  stored,
});

describe('a maker whose claim is on the chain although its imported log says that it failed', () => {
  it('does not refund beside it when the log is finished and the recovery is asked for', async () => {
    const { pair, text } = await foreignSwap(claimed([FAILED, ...REFUND_FAILED]));
    const { runtime } = pair.nodes.maker;
    await runtime.importText(text);
    await runtime.recoverFunds(UUID, 'the operator asks');
    await pair.minutes(400);
    expect(standing(pair, 'DOC', 'maker')).not.toContain('refund');
    expect(gainOf(pair, 'DOC', 'maker')).toBeLessThan(-150_000_000n + 1n);
    expect(await runtime.status(UUID)).toMatchObject({
      outcome: 'completed',
      funds: { takerPayment: { status: 'spent', by: 'maker' } },
    });
  });

  it.each([
    ['heads for the refund', [FAILED, WAITS]],
    ['refunds', [FAILED, WAITS, { type: 'MakerPaymentRefundStarted' }]],
    ['has not gone on', [FAILED]],
  ])('does not refund beside it while the chain of the claim is silent: the log %s', async (_, stored) => {
    const { pair, text } = await foreignSwap(claimed(stored));
    const { runtime } = pair.nodes.maker;
    walletOf(pair, 'maker', 'MARTY').setFaults(OUTAGE);
    await runtime.importText(text);
    await pair.minutes(400);
    expect(standing(pair, 'DOC', 'maker')).not.toContain('refund');
    expect(pair.types('maker')).not.toContain('MakerPaymentRefunded');
    walletOf(pair, 'maker', 'MARTY').setFaults([]);
    await pair.minutes(15);
    expect(pair.types('maker')).toContain('TakerPaymentSpendConfirmed');
    expect((await runtime.status(UUID))?.outcome).toBe('completed');
    expect(standing(pair, 'DOC', 'maker')).not.toContain('refund');
  });

  it('does not refund beside it while the node of that chain is stuck before the claim', async () => {
    const stands = { still: false };
    const { pair, text } = await foreignSwap({
      ...claimed([FAILED, WAITS]),
      pair: {
        options: (side, { chains }) =>
          side === 'maker' ? { chains: chains.map((chain) => frozen(chain, stands)) } : {},
      },
    });
    stands.still = true;
    // Too late for the engine to claim by itself.
    await pair.minutes(120);
    await pair.nodes.maker.runtime.importText(text);
    await pair.minutes(400);
    expect(standing(pair, 'DOC', 'maker')).toEqual(['payment']);
    stands.still = false;
    await pair.minutes(15);
    expect(pair.types('maker')).toContain('TakerPaymentSpendConfirmed');
    expect(standing(pair, 'DOC', 'maker')).toEqual(['payment']);
  });

  it('does not refund beside it on an order while the chain of the claim is silent', async () => {
    const { pair, text } = await foreignSwap(claimed([FAILED, ...REFUND_FAILED]));
    const { runtime } = pair.nodes.maker;
    walletOf(pair, 'maker', 'MARTY').setFaults(OUTAGE);
    await runtime.importText(text);
    await runtime.recoverFunds(UUID);
    await pair.minutes(400);
    expect(standing(pair, 'DOC', 'maker')).not.toContain('refund');
    expect(pair.types('maker').at(-1)).toBe('OperatorActed');
  });
});

describe('a maker whose claim is ruled out', () => {
  it('refunds although the other chain is silent: the taker payment was never found valid', async () => {
    const { pair, text } = await foreignSwap({
      side: 'maker',
      otherDiesAfter: 'TakerPaymentSent',
      runUntil: 'TakerPaymentReceived',
      cutBefore: 'TakerPaymentWaitConfirmStarted',
      stored: [{ type: 'TakerPaymentValidateFailed', data: { error: 'x' } }, WAITS],
    });
    walletOf(pair, 'maker', 'MARTY').setFaults(OUTAGE);
    await pair.nodes.maker.runtime.importText(text);
    await pair.until(() => pair.types('maker').includes('Finished'), 400);
    expect(standing(pair, 'DOC', 'maker')).toContain('refund');
  });

  it('refunds when the chain shows the taker payment unspent, and never claims beside that', async () => {
    const { pair, text } = await foreignSwap({
      side: 'maker',
      otherDiesAfter: 'TakerPaymentSent',
      runUntil: 'TakerPaymentValidatedAndConfirmed',
      cutBefore: 'TakerPaymentSpent',
      pair: {
        options: (side, { chains }) =>
          side === 'maker' ? { chains: chains.map((chain) => withoutClaims(chain)) } : {},
      },
      stored: [FAILED, WAITS],
    });
    const { runtime } = pair.nodes.maker;
    await pair.minutes(300);
    await runtime.importText(text);
    await pair.minutes(30);
    expect([standing(pair, 'DOC', 'maker'), standing(pair, 'MARTY', 'maker')]).toEqual([['payment', 'refund'], []]);
  });
});

/** A node of the taker chain that has not come to the claim, nor to the lock. */
function frozen(chain: RuntimeChain, stands: { readonly still: boolean }): RuntimeChain {
  if (chain.traits.coin !== 'MARTY') return chain;
  const payment: RuntimeChain['payment'] = async (query) => {
    const answer = await chain.payment(query);
    if (!stands.still || !answer.ok) return answer;
    return { ok: true, value: { ...answer.value, spend: null, refundable: false } };
  };
  return { ...chain, payment };
}

function withoutClaims(chain: RuntimeChain): RuntimeChain {
  const prepare: RuntimeChain['prepare'] = (request, forSwap) =>
    request.purpose === 'claim'
      ? { ok: false, fault: { kind: 'unavailable', message: 'no signer' } }
      : chain.prepare(request, forSwap);
  return { ...chain, prepare };
}

describe('a taker', () => {
  const lone = { type: 'TakerPaymentWaitForSpendFailed', data: { error: 'x' } };

  /** A taker that cannot sign claims before it is restarted, so that the maker payment is unspent. */
  async function unclaimed(given: Pick<ForeignSwap, 'cutBefore' | 'stored'>) {
    let signs = false;
    const swap = await foreignSwap({
      ...given,
      side: 'taker',
      runUntil: 'TakerPaymentSpent',
      pair: {
        options: (side, { chains }) => (side === 'taker' && !signs ? { chains: chains.map(withoutClaims) } : {}),
      },
    });
    signs = true;
    swap.pair.restart('taker');
    return swap;
  }

  it.each([
    ['finished', [lone, { type: 'Finished' }], true],
    ['unfinished', [lone], false],
  ] as const)(
    'does not refund while its own chain is silent about the maker’s spend, and claims then: %s',
    async (...given) => {
      const [, stored, order] = given;
      const { pair, text } = await unclaimed({ cutBefore: 'TakerPaymentSpent', stored });
      const { runtime } = pair.nodes.taker;
      walletOf(pair, 'taker', 'MARTY').setFaults(OUTAGE);
      await runtime.importText(text);
      if (order) await runtime.recoverFunds(UUID);
      await pair.minutes(150);
      expect([standing(pair, 'DOC', 'taker'), standing(pair, 'MARTY', 'taker')]).toEqual([[], ['fee', 'payment']]);
      walletOf(pair, 'taker', 'MARTY').setFaults([]);
      await pair.minutes(15);
      expect([standing(pair, 'DOC', 'taker'), standing(pair, 'MARTY', 'taker')]).toEqual([
        ['claim'],
        ['fee', 'payment'],
      ]);
      expect((await runtime.status(UUID))?.outcome).toBe('completed');
    },
  );

  it('claims by order although its own chain is silent, because the log holds the secret', async () => {
    const failed = { type: 'MakerPaymentSpendFailed', data: { error: 'x' } };
    const { pair, text } = await unclaimed({ stored: [failed, { type: 'Finished' }] });
    const { runtime } = pair.nodes.taker;
    walletOf(pair, 'taker', 'MARTY').setFaults(OUTAGE);
    await runtime.importText(text);
    expect((await runtime.status(UUID))?.outcome).toBe('funds-at-risk');
    await runtime.recoverFunds(UUID);
    await pair.minutes(15);
    expect(standing(pair, 'DOC', 'taker')).toEqual(['claim']);
    expect(pair.types('taker').at(-1)).toBe('FundsRecovered');
    expect((await runtime.status(UUID))?.outcome).toBe('completed');
  });
});
