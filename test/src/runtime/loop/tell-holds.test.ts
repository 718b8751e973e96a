import { describe, expect, it } from 'vitest';
import type { SwapHold } from '../../../../src/htlc/locked-amount.ts';
import type { Hold } from '../../../../src/ports/chain.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { createHeldLedger } from '../../../../src/runtime/held.ts';
import { tellHold, tellHolds } from '../../../../src/runtime/loop/tell-holds.ts';

const dec = (text: string) => text as DecimalText;
const SWAP = 'one';

const holdOf = (amounts: Readonly<Record<string, string>>, fees: SwapHold['fees'] = new Map()): SwapHold => ({
  amounts: new Map(Object.entries(amounts).map(([coin, amount]) => [coin, dec(amount)])),
  fees,
});
const inEther = (amount: string, ...ends: ('claim' | 'refund')[]) => ({ coin: 'ETH', amount: dec(amount), ends });

/** Wallets of these coins, and what each was told, in order. */
const setUp = (...coins: readonly string[]) => {
  const told: [string, Hold][] = [];
  const gates = new Map(coins.map((coin) => [coin, { chain: { hold: (hold: Hold) => void told.push([coin, hold]) } }]));
  const loop = { gates, logger: { error: () => expect.unreachable('it was told') } };
  const locks = createHeldLedger((stream, coin) => tellHold({ ...loop, locks }, stream, coin));
  return { told, locks, tellAll: (coin: string) => tellHolds({ ...loop, locks }, coin) };
};

describe('what a swap will still take from wallets', () => {
  it('reaches the wallet of a token with the fees that its platform pays, even if that is not in use', () => {
    const { told, locks } = setUp('USDC');
    locks.set(`maker-swap/${SWAP}`, holdOf({ USDC: '7', ETH: '0.02' }, new Map([['USDC', inEther('0.02')]])));
    expect(told).toEqual([['USDC', { swap: SWAP, amount: '7', fees: '0.02', ends: [] }]]);
  });

  it('is sent again if only the fees have changed, and if nothing is left', () => {
    const { told, locks } = setUp('USDC', 'ETH');
    locks.set(`maker-swap/${SWAP}`, holdOf({ USDC: '7', ETH: '0.02' }, new Map([['USDC', inEther('0.02')]])));
    told.length = 0;
    locks.set(`maker-swap/${SWAP}`, holdOf({ USDC: '7', ETH: '0.02' }, new Map([['USDC', inEther('0.02', 'refund')]])));
    expect(told).toEqual([['USDC', { swap: SWAP, amount: '7', fees: '0.02', ends: ['refund'] }]]);
    told.length = 0;
    locks.forget(`maker-swap/${SWAP}`);
    expect(told).toEqual([
      ['USDC', { swap: SWAP, amount: '0' }],
      ['ETH', { swap: SWAP, amount: '0' }],
    ]);
  });

  it('is the sum of both sides if both are on this node', () => {
    const { told, locks } = setUp('USDC');
    locks.set(`maker-swap/${SWAP}`, holdOf({ ETH: '0.013' }, new Map([['USDC', inEther('0.013', 'refund')]])));
    locks.set(`taker-swap/${SWAP}`, holdOf({ ETH: '0.005' }, new Map([['USDC', inEther('0.005', 'claim')]])));
    expect(told.at(-1)).toEqual(['USDC', { swap: SWAP, amount: '0', fees: '0.018', ends: ['claim', 'refund'] }]);
  });

  it('reaches a wallet that is opened later, for each swap that concerns it', () => {
    const { told, locks, tellAll } = setUp('USDC', 'ETH');
    locks.set(`maker-swap/${SWAP}`, holdOf({ ETH: '0.013' }, new Map([['USDC', inEther('0.013', 'refund')]])));
    locks.set('taker-swap/two', holdOf({ DOC: '3' }));
    told.length = 0;
    tellAll('USDC');
    tellAll('ETH');
    expect(told).toEqual([
      ['USDC', { swap: SWAP, amount: '0', fees: '0.013', ends: ['refund'] }],
      ['ETH', { swap: SWAP, amount: '0.013' }],
    ]);
  });
});
