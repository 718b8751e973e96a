import { describe, expect, it } from 'vitest';
import { htlcKeys, storedKey } from '../../../src/htlc/keys.ts';
import { hexToBytes } from '../../../src/primitives/hex.ts';

const key = (digit: string) => `02${digit.repeat(64)}`;
const ZEROS = '00'.repeat(33);

describe('keys of a payment', () => {
  it('are the coin keys of both parties where stored', () => {
    const maker = { persistent: key('1'), makerCoin: key('2'), takerCoin: key('3') };
    const taker = { persistent: ZEROS, makerCoin: key('5'), takerCoin: key('6') };
    expect(htlcKeys({ maker, taker })).toEqual({
      makerPayment: { senderKey: hexToBytes(key('2')), receiverKey: hexToBytes(key('5')) },
      takerPayment: { senderKey: hexToBytes(key('6')), receiverKey: hexToBytes(key('3')) },
    });
  });

  it('fall back to the persistent key of a party, coin by coin', () => {
    const keys = htlcKeys({
      maker: { persistent: key('1'), makerCoin: null, takerCoin: key('3') },
      taker: { persistent: key('4') },
    });
    expect(keys).toEqual({
      makerPayment: { senderKey: hexToBytes(key('1')), receiverKey: hexToBytes(key('4')) },
      takerPayment: { senderKey: hexToBytes(key('4')), receiverKey: hexToBytes(key('3')) },
    });
  });

  it('are absent if only zeros or damaged texts are stored', () => {
    for (const text of [ZEROS, '', '02ab', 'zz'.repeat(33), null, undefined]) expect(storedKey(text)).toBeUndefined();
    expect(htlcKeys({ maker: { persistent: ZEROS }, taker: {} }).makerPayment).toEqual({
      senderKey: undefined,
      receiverKey: undefined,
    });
  });
});
