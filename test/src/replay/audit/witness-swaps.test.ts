import { describe, expect, it } from 'vitest';
import { p2wpkhScript } from '../../../../src/htlc/script.ts';
import { hash160 } from '../../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { auditSwap } from '../../../../src/replay/audit/audit-swap.ts';
import { fundingRule } from '../../../../src/replay/audit/funding.ts';
import { paymentScriptRule } from '../../../../src/replay/audit/payments.ts';
import { spendScriptRule } from '../../../../src/replay/audit/spends.ts';
import { type BuildSwapPairOptions, buildSwapPair, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { judge, withTransaction } from '../../../support/audited.ts';

const refunding: BuildSwapPairOptions = {
  takerPath: successPath('taker').slice(0, 8).concat('TakerPaymentWaitForSpendFailed', 'TakerPaymentRefunded'),
  makerPath: successPath('maker').slice(0, 5).concat('TakerPaymentValidateFailed', 'MakerPaymentRefunded'),
};

/** Swaps whose two legs are of different schemes, in both orders, and of one scheme. */
const SWAPS = (
  [
    ['p2wsh', 'p2sh', { makerCoin: 'LTC', takerCoin: 'MARTY' }],
    ['p2sh', 'p2wsh', { makerCoin: 'DOC', takerCoin: 'BTC' }],
    ['p2wsh', 'p2wsh', { makerCoin: 'LTC', takerCoin: 'DGB' }],
  ] as const
).flatMap(([maker, taker, coins]) =>
  [{}, { watchers: true }, refunding].map((path, index) => ({
    title: `${maker} against ${taker}, ${['claimed', 'claimed, with watchers', 'refunded'][index]}`,
    pair: buildSwapPair({
      seed: `${maker} ${taker}`,
      schemes: { maker, taker },
      amounts: { maker: '0.31', taker: '7.2' },
      ...coins,
      ...path,
    }),
  })),
);

describe('the audit of a sound swap with witnesses', () => {
  it.each(SWAPS)('contradicts nothing: $title', ({ pair }) => {
    for (const log of [pair.taker, pair.maker]) {
      const { violated, verified, checks } = auditSwap(log);
      expect(checks.filter(({ status }) => status === 'violated')).toEqual([]);
      expect(violated).toBe(0);
      expect(verified).toBeGreaterThan(20);
      const doubtful = checks.filter(({ status }) => status === 'notCheckable').map(({ check }) => check);
      expect(doubtful).not.toContain('payment-script');
      expect(doubtful).not.toContain('spend-script');
      expect(doubtful).not.toContain('claim-secret');
    }
  });
});

describe('a swap with witnesses that somebody changed', () => {
  const { taker, terms } = buildSwapPair({ seed: 5, makerCoin: 'LTC', schemes: { maker: 'p2wsh', taker: 'p2sh' } });
  const statuses = (findings: ReturnType<typeof judge>) => findings.map(({ status }) => status);

  it('does not hold if the payment pays to another script of the same form', () => {
    const other = withTransaction(taker, 'MakerPaymentReceived', ({ outputs }) => ({
      outputs: outputs.map((output, index) =>
        index === 0 ? { ...output, script: output.script.map((byte, at) => (at === 9 ? byte ^ 1 : byte)) } : output,
      ),
    }));
    expect(statuses(judge(paymentScriptRule, other))).toEqual(['violated', 'verified']);
  });

  it('does not hold if the claim shows the right script in the form of the other scheme', () => {
    const swapped = withTransaction(taker, 'MakerPaymentSpent', ({ inputs }) => ({
      format: 'legacy',
      inputs: inputs.map(({ witness = [], ...rest }) => ({ ...rest, scriptSig: pushes(witness) })),
    }));
    expect(statuses(judge(spendScriptRule, taker))).toEqual(['verified', 'verified']);
    expect(statuses(judge(spendScriptRule, swapped))).toEqual(['verified', 'violated']);
  });

  it('shows the key of a witness input, which must be the paid key', () => {
    const key = terms.taker.takerCoin;
    const change = p2wpkhScript(hash160(key));
    const fee = withTransaction(taker, 'TakerFeeSent', ({ outputs }) => ({
      outputs: [...outputs.slice(0, 1), { value: 5_000_000n, script: change }],
    }));
    const feeId = fee.events.find(({ type }) => type === 'TakerFeeSent')?.data as { tx_hash: string };
    const paidBy = (shown: Uint8Array) =>
      withTransaction(fee, 'MakerPaymentReceived', ({ inputs }) => ({
        format: 'segwit',
        inputs: inputs.map((input) => ({
          ...input,
          txid: feeId.tx_hash,
          vout: 1,
          scriptSig: new Uint8Array(0),
          witness: [new Uint8Array(71), shown],
        })),
      }));
    expect(statuses(judge(fundingRule, paidBy(key)))).toEqual(['verified']);
    expect(judge(fundingRule, paidBy(terms.maker.makerCoin))).toMatchObject([
      { status: 'violated', expected: bytesToHex(change) },
    ]);
  });
});

function pushes(items: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(
    items.flatMap((item) =>
      item.length === 0 ? [0] : [...(item.length < 76 ? [item.length] : [0x4c, item.length]), ...item],
    ),
  );
}
