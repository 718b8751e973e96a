import { describe, expect, it } from 'vitest';
import type { RuntimeChain } from '../../../../../src/runtime/index.ts';
import { chainOf, foreignSwap, standing, walletOf } from '../../../../support/foreign-swap.ts';
import { createPair, type Pair, requestOf, type Side, UUID } from '../../../../support/swap-pair.ts';

async function startBoth(pair: Pair): Promise<void> {
  for (const own of ['maker', 'taker'] as const) await pair.nodes[own].runtime.startSwap(requestOf(own));
}

async function refusal(pair: Pair, side: Side): Promise<unknown> {
  const records = await pair.nodes[side].log.read(`${side}-swap/${UUID}`);
  return (records.find(({ type }) => type === 'RecoveryRefused')?.data as { reason: string } | undefined)?.reason;
}

const OUTAGE = [{ kind: 'outage', from: 0 as never, until: 9e9 as never }] as const;

describe('an order to recover, on a log that the real node has closed', () => {
  const closed = (side: Side, runUntil: string, failed: string) =>
    foreignSwap({
      side,
      otherDiesAfter: 'TakerPaymentSent',
      runUntil,
      cutBefore: side === 'maker' ? 'TakerPaymentSpent' : 'MakerPaymentSpent',
      stored: [
        { type: failed, data: { error: 'taker_swap:1] Timeout 2 > 1' } },
        { type: 'MakerPaymentWaitRefundStarted', data: { wait_until: 1_700_020_000 } },
        { type: 'MakerPaymentRefundStarted' },
        { type: 'MakerPaymentRefundFailed', data: { error: 'x' } },
        { type: 'Finished' },
      ],
      pair: {
        options: (_, { chains }) => (side === 'maker' && !signs.on ? { chains: chains.map(withoutClaims) } : {}),
      },
    });
  const signs = { on: false };

  it('claims a valid, unspent taker payment, also while the own chain is silent', async () => {
    signs.on = false;
    const { pair, text } = await closed('maker', 'TakerPaymentValidatedAndConfirmed', 'TakerPaymentSpendFailed');
    signs.on = true;
    pair.restart('maker');
    const { runtime } = pair.nodes.maker;
    walletOf(pair, 'maker', 'DOC').setFaults(OUTAGE);
    await runtime.importText(text);
    await runtime.recoverFunds(UUID);
    await pair.minutes(15);
    expect([standing(pair, 'DOC', 'maker'), standing(pair, 'MARTY', 'maker')]).toEqual([['payment'], ['claim']]);
    expect(pair.types('maker').at(-1)).toBe('FundsRecovered');
    expect((await runtime.status(UUID))?.outcome).toBe('completed');
  });

  it('survives a node that has fallen behind and does not show the own payment', async () => {
    const { pair, text } = await foreignSwap({
      side: 'taker',
      otherDiesAfter: 'MakerPaymentSent',
      runUntil: 'TakerPaymentSent',
      stored: [{ type: 'TakerPaymentWaitForSpendFailed', data: { error: 'x' } }, { type: 'Finished' }],
    });
    const { runtime } = pair.nodes.taker;
    walletOf(pair, 'taker', 'MARTY').setFaults([{ kind: 'lag', from: 0 as never, until: 9e9 as never, blocks: 9000 }]);
    await runtime.importText(text);
    await runtime.recoverFunds(UUID);
    await pair.minutes(200);
    expect(pair.types('taker').at(-1)).toBe('OperatorActed');
    walletOf(pair, 'taker', 'MARTY').setFaults([]);
    await pair.minutes(30);
    expect(standing(pair, 'MARTY', 'taker')).toEqual(['fee', 'payment', 'refund']);
    expect(pair.types('taker').at(-1)).toBe('FundsRecovered');
    expect((await runtime.status(UUID))?.outcome).toBe('refunded');
  });

  it('ends with the real node’s text once the own payment is gone for good', async () => {
    const { pair, text } = await foreignSwap({
      side: 'taker',
      otherDiesAfter: 'MakerPaymentSent',
      runUntil: 'TakerPaymentSent',
      stored: [{ type: 'TakerPaymentWaitForSpendFailed', data: { error: 'x' } }, { type: 'Finished' }],
    });
    const { runtime } = pair.nodes.taker;
    chainOf(pair, 'MARTY').reorg({ depth: 1, drop: 'all' });
    for (const { hash, status } of chainOf(pair, 'MARTY').ledger.transactions('taker')) {
      if (status === 'mempool') chainOf(pair, 'MARTY').drop(hash);
    }
    await runtime.importText(text);
    await runtime.recoverFunds(UUID);
    expect(await pair.until(() => pair.types('taker').includes('RecoveryRefused'), 60)).toBe(true);
    expect(await refusal(pair, 'taker')).toBe('Taker payment is not found, swap is not recoverable');
  });

  it('can be taken back', async () => {
    const { pair, text } = await foreignSwap({
      side: 'taker',
      otherDiesAfter: 'MakerPaymentSent',
      runUntil: 'TakerPaymentSent',
      stored: [{ type: 'TakerPaymentWaitForSpendFailed', data: { error: 'x' } }, { type: 'Finished' }],
    });
    const { runtime } = pair.nodes.taker;
    await runtime.importText(text);
    await runtime.recoverFunds(UUID);
    await pair.minutes(5);
    expect((await runtime.status(UUID))?.next?.who).toBe('engine');
    await runtime.cancelRecovery(UUID, 'not now');
    await pair.minutes(300);
    expect(standing(pair, 'MARTY', 'taker')).toEqual(['fee', 'payment']);
    expect((await runtime.status(UUID))?.next?.who).toBe('operator');
    expect(runtime.sizes().runners).toBe(0);
  });

  it('is refused if the other side has claimed and the own claim was made elsewhere', async () => {
    const { pair, text } = await foreignSwap({ side: 'taker', runUntil: 'Finished' });
    const { runtime } = pair.nodes.taker;
    await pair.minutes(20);
    await runtime.importText(text);
    await runtime.recoverFunds(UUID);
    await pair.minutes(2);
    expect(await refusal(pair, 'taker')).toMatch(/^Maker payment was already spent by DOC tx [0-9a-f]{64}$/);
    expect((await runtime.status(UUID))?.outcome).toBe('completed');
  });
});

function withoutClaims(chain: RuntimeChain): RuntimeChain {
  return {
    ...chain,
    prepare: (request, forSwap) =>
      request.purpose === 'claim'
        ? { ok: false, fault: { kind: 'unavailable', message: 'no signer' } }
        : chain.prepare(request, forSwap),
  };
}

describe('an order to recover a swap that is not over', () => {
  it('is refused at once if nothing was paid, and the swap continues', async () => {
    const pair = createPair();
    await startBoth(pair);
    const { runtime } = pair.nodes.maker;
    await runtime.recoverFunds(UUID);
    await pair.clock.advance(0);
    expect(await refusal(pair, 'maker')).toBe('Maker payment transaction was not found');
    expect(await pair.until(() => pair.types('maker').includes('Finished'), 60)).toBe(true);
    expect((await runtime.status(UUID))?.outcome).toBe('completed');
  });

  it('is also refused if nobody got the signed own payment, once its chain does not show it', async () => {
    const pair = createPair();
    await startBoth(pair);
    const { runtime } = pair.nodes.taker;
    expect(await pair.until(() => pair.types('taker').includes('MakerPaymentReceived'), 60)).toBe(true);
    await runtime.recoverFunds(UUID);
    await pair.clock.advance(0);
    expect(await refusal(pair, 'taker')).toBe('Taker payment is not found, swap is not recoverable');
    expect(await pair.until(() => pair.types('taker').includes('Finished'), 60)).toBe(true);
    expect((await runtime.status(UUID))?.outcome).toBe('completed');
  });

  it('makes the claim that the margin had ruled out, while the taker cannot take its payment back', async () => {
    const signs = { on: false };
    const pair = createPair({
      options: (side, { chains }) => (side === 'maker' && !signs.on ? { chains: chains.map(withoutClaims) } : {}),
    });
    await startBoth(pair);
    await pair.until(() => pair.types('taker').includes('TakerPaymentSent'), 60);
    pair.nodes.taker.die();
    expect(await pair.until(() => pair.types('maker').includes('TakerPaymentSpendFailed'), 130)).toBe(true);
    signs.on = true;
    pair.restart('maker');
    const { runtime } = pair.nodes.maker;
    await pair.minutes(2);
    expect(standing(pair, 'MARTY', 'maker')).toEqual([]);
    await runtime.recoverFunds(UUID);
    await pair.minutes(1);
    expect(standing(pair, 'MARTY', 'maker')).toEqual(['claim']);
    await pair.minutes(15);
    expect((await runtime.status(UUID))?.outcome).toBe('completed');
    expect(pair.types('maker').at(-1)).toBe('FundsRecovered');
    expect(standing(pair, 'DOC', 'maker')).toEqual(['payment']);
  });
});
