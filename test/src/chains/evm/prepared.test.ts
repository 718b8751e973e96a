import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Prepared } from '../../../../src/chains/evm/prepared.ts';
import { callOf } from '../../../../src/chains/evm/terms.ts';
import { type Made, slotOf } from '../../../../src/chains/evm/transaction.ts';
import { encodeSwapCall } from '../../../../src/htlc/evm-calls.ts';
import { encodeRewardCall } from '../../../../src/htlc/evm-reward-calls.ts';
import { transferCall } from '../../../../src/htlc/token-calls.ts';

const [CONTRACTS, ACCOUNTS, IDS] = [
  ['c0', 'c1'],
  ['a0', 'a1'],
  ['01', '02', '03'],
].map((all) => all.map((byte) => byte.repeat(20))) as [string[], string[], string[]];
const TOKEN = '44'.repeat(20);

const dataOf = (id: string): readonly string[] => {
  const [swapId, amount, secret, secretHash] = [`${id}${'07'.repeat(12)}`, 5n, '5e'.repeat(32), '9a'.repeat(20)];
  const call = { swapId, amount, token: TOKEN, party: TOKEN };
  const rewarded = { swapId, amount, token: TOKEN, sender: TOKEN, receiver: TOKEN, lockTime: null };
  const reward = { target: 3, onClaim: false, amount: 1n };
  return [
    encodeSwapCall({ kind: 'payment', ...call, secretHash, lockTime: 9n }),
    encodeSwapCall({ kind: 'claim', ...call, secret }),
    encodeSwapCall({ kind: 'refund', ...call, secretHash }),
    encodeRewardCall({ kind: 'claim', ...rewarded, secretHash: null, secret, reward }),
    ...['', transferCall(TOKEN, 5n), `ffffffff${swapId}`],
  ];
};

const made = fc
  .record({
    ...{ id: fc.nat(30), nonce: fc.nat(3), from: fc.constantFrom(...ACCOUNTS) },
    to: fc.constantFrom(...CONTRACTS, null),
    data: fc.constantFrom(...IDS.flatMap(dataOf)),
  })
  .map(({ id, ...rest }): Made => {
    const price = { most: 1n, tip: 1n };
    return { ...rest, id: String(id), hex: '', chainId: 1, value: 0n, gas: 65_000n, price, legacy: false };
  });

it('what an account has signed is found by its nonce and its swap as if all of it were searched', () => {
  fc.assert(
    fc.property(fc.array(made, { maxLength: 40 }), (all) => {
      const prepared = new Prepared();
      for (const one of all) prepared.add(one);
      const first = [...new Map([...all].reverse().map((one) => [one.id, one])).values()].reverse();
      const kept = first.sort((left, right) => all.indexOf(left) - all.indexOf(right));
      expect([[...prepared.values()], prepared.size]).toEqual([kept, kept.length]);
      for (const one of kept) {
        expect(prepared.get(one.id)).toBe(one);
        expect(prepared.withNonceOf(one)).toEqual(kept.filter((other) => slotOf(other) === slotOf(one)));
      }
      for (const contract of CONTRACTS)
        for (const id of IDS.map((start) => `${start}${'07'.repeat(12)}`))
          expect(prepared.callsAbout({ contract, id })).toEqual(
            kept.filter((one) => callOf(one, contract)?.swapId === id),
          );
    }),
  );
});
