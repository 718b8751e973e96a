import { serializeTransaction } from 'viem';
import { describe, expect, it } from 'vitest';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import { AnswerTooLong } from '../../../../src/chains/accounts/silence.ts';
import { addressText } from '../../../../src/chains/evm/address.ts';
import { createEvmNodeReader } from '../../../../src/chains/evm/node-reader.ts';
import { encodeSwapCall } from '../../../../src/htlc/evm-calls.ts';
import { keccak256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';

const CONTRACT = 'c0'.repeat(20);
const OTHER = '44'.repeat(20);
const SENDER = 'aa'.repeat(20);
const [ID, ANOTHER_ID] = ['5a'.repeat(32), '5b'.repeat(32)];

describe('what waits at a node', () => {
  let nonce = 0;
  /** As a node tells of it that writes addresses in mixed case. */
  const told = (to: string, { data = '', from = OTHER } = {}) => {
    nonce += 1;
    const shared = { r: `0x${'22'.repeat(32)}`, s: `0x${'11'.repeat(32)}` } as const;
    const tx = { to: `0x${to}`, nonce, gas: 21_000n, value: 1n, chainId: 1 } as const;
    const prices = { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n };
    const all = { ...tx, ...prices, data: `0x${data}`, type: 'eip1559' } as const;
    const hex = serializeTransaction(all, { ...shared, yParity: 0 }).slice(2);
    const members = {
      ...{
        ...shared,
        hash: `0x${bytesToHex(keccak256(hexToBytes(hex)))}`,
        from: addressText(from),
        to: addressText(to),
      },
      ...{ input: all.data, type: '0x2', chainId: '0x1', nonce: `0x${nonce.toString(16)}`, gas: '0x5208' },
      ...{ value: '0x1', maxFeePerGas: '0x9', maxPriorityFeePerGas: '0x1', yParity: '0x0' },
    };
    return { hex, members };
  };
  const claimOf = (swapId: string): string =>
    encodeSwapCall({ kind: 'claim', swapId, amount: 1n, token: OTHER, party: OTHER, secret: '07'.repeat(32) });
  const lookAt = (pending: readonly { readonly members: object }[]) => {
    const block = { hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
    const waiting = { ...block, number: '0x11', transactions: pending.map(({ members }) => members) };
    const request = async (method: string, [at]: readonly unknown[]) => {
      if (method === 'eth_chainId') return '0x1';
      return at === 'pending' ? waiting : { ...block, number: '0x10' };
    };
    return createEvmNodeReader({ name: 'a node', request }, 1).look();
  };

  it('is reported if it calls the contract, for one swap or all of them, or comes from the account', async () => {
    const claim = told(CONTRACT, { data: claimOf(ID) });
    const ofAnother = told(CONTRACT, { data: claimOf(ANOTHER_ID) });
    const own = told(OTHER, { from: SENDER });
    const look = await lookAt([told(OTHER), claim, told(OTHER, { data: claimOf(ID) }), ofAnother, own]);
    const [contract, sender] = [CONTRACT, SENDER];
    const hexes = (...all: readonly { readonly hex: string }[]) => all.map(({ hex }) => hex);
    expect(await look.waiting({ contract })).toEqual(hexes(claim, ofAnother));
    expect(await look.waiting({ contract, swapId: ID })).toEqual(hexes(claim));
    expect(await look.waiting({ contract, sender })).toEqual(hexes(claim, ofAnother, own));
  });

  it('is nothing if a node refuses to report it, or reports more than the limit', async () => {
    const block = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
    for (const error of [new NodeRefusal(-32_000, 'pending is not supported'), new AnswerTooLong('too long')]) {
      const request = async (method: string, [at]: readonly unknown[]) => {
        if (at === 'pending') throw error;
        return method === 'eth_chainId' ? '0x1' : block;
      };
      const look = await createEvmNodeReader({ name: 'a node', request }, 1).look();
      expect(await look.waiting({ contract: CONTRACT })).toEqual([]);
    }
  });

  it('is bounded, however much a node makes up', async () => {
    const data = claimOf(ID);
    const all = Array.from({ length: 1000 }, () => told(CONTRACT, { data }));
    const look = await lookAt(all);
    const waiting = await look.waiting({ contract: CONTRACT, swapId: ID });
    expect(waiting).toEqual(all.slice(0, 256).map(({ hex }) => hex));
  });
});
