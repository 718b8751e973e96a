import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { isDust } from '../../../../src/smartchain/chain/relay-policy.ts';
import { addressScript } from '../../../../src/smartchain/encoding/address.ts';
import { openSmartChain } from '../../../../src/smartchain/node.ts';
import { payToKeyScript } from '../../../../src/smartchain/tokens/scripts.ts';
import { coinsOfRing } from '../../../../src/smartchain/wallet/coins.ts';
import { buildPayment, WALLET_FEE_RATE } from '../../../../src/smartchain/wallet/send.ts';
import { openWallet } from '../../../../src/smartchain/wallet/wallet.ts';

const script = addressScript({ kind: 'key', hash: new Uint8Array(20).fill(5) });

/** A wallet with one coin for each block, 100,000 satoshis each but for the first, which is larger. */
async function funded({ blocks }: { readonly blocks: number }) {
  let time = 1_800_000_000_000;
  const now = () => {
    time += 1000;
    return millisOf(time);
  };
  const params = { maturity: 1, supply: 900_000n, reward: 100_000n };
  const chain = await openSmartChain({ log: createMemoryLog(), now, params });
  const random = { bytes: (length: number) => new Uint8Array(length).fill(7) };
  const wallet = await openWallet({ prefixes: chain.params.prefixes, random, seed: new Secret('sends') });
  const own = payToKeyScript(wallet.ownKey()?.publicKey ?? new Uint8Array(33));
  for (let index = 0; index < blocks; index++) await chain.mine({ script: own });
  return { chain, wallet, own };
}

const sum = (outputs: readonly { readonly value: bigint }[]) => outputs.reduce((total, { value }) => total + value, 0n);

it('pays exactly, returns the rest, and leaves the miner no more than the fee and dust', async () => {
  const { chain, wallet, own } = await funded({ blocks: 8 });
  const coins = coinsOfRing(chain, wallet.ring);
  const available = sum(coins.map(({ output }) => output));
  fc.assert(
    fc.property(fc.bigInt({ min: 1000n, max: available }), fc.boolean(), (value, receiverPays) => {
      const answer = buildPayment(
        { chain, wallet },
        { outputs: [{ value, script }], feeFrom: receiverPays ? [0] : [] },
      );
      if ('fault' in answer) {
        expect(['insufficient-funds', 'dust']).toContain(answer.fault);
        expect(answer.fault === 'dust' ? value < 10_000n : value > available - 30_000n).toBe(true);
        return;
      }
      const { identified, fee } = answer;
      const { inputs, outputs } = identified.transaction;
      const spent = inputs.map((input) => coins.find(({ txid, vout }) => txid === input.txid && vout === input.vout));
      const brought = spent.reduce((total, coin) => total + (coin?.output.value ?? 0n), 0n);
      expect(brought - sum(outputs)).toBe(fee);
      expect(outputs[0]?.value).toBe(receiverPays ? (outputs[0]?.value ?? 0n) : value);
      const [, change] = outputs;
      if (receiverPays) expect((outputs[0]?.value ?? 0n) + (change?.value ?? 0n) + fee).toBe(brought);
      if (change !== undefined) {
        expect(change.script).toEqual(own);
        expect(isDust(change, chain.policy)).toBe(false);
      }
      const least = (WALLET_FEE_RATE * BigInt(identified.bytes.length)) / 1000n;
      // A signature may be a byte or two shorter than at its longest, and dust is not given back.
      expect(fee).toBeGreaterThanOrEqual(least);
      expect(fee).toBeLessThanOrEqual(least + 600n + 30n * BigInt(inputs.length));
    }),
    { numRuns: 40 },
  );
});

it('is accepted by the chain', async () => {
  const { chain, wallet } = await funded({ blocks: 6 });
  for (let round = 0; round < 5; round++) {
    const answer = buildPayment({ chain, wallet }, { outputs: [{ value: 70_000n, script }] });
    if ('fault' in answer) throw new Error(answer.fault);
    expect(chain.submit(answer.identified)).not.toHaveProperty('refused');
  }
});

it('refuses what cannot be paid', async () => {
  const { chain, wallet } = await funded({ blocks: 3 });
  const faultOf = (value: bigint, feeFrom: readonly number[] = []) =>
    buildPayment({ chain, wallet }, { outputs: [{ value, script }], feeFrom });
  expect(faultOf(1n)).toEqual({ fault: 'dust' });
  expect(faultOf(10_000_000n)).toEqual({ fault: 'insufficient-funds' });
  expect(faultOf(1000n, [0])).toEqual({ fault: 'dust' });
  const many = Array.from({ length: 4000 }, () => ({ value: 100n, script }));
  expect(buildPayment({ chain, wallet }, { outputs: many })).toEqual({ fault: 'too-large' });
  const { wallet: empty } = {
    wallet: await openWallet({ prefixes: chain.params.prefixes, random: { bytes: (n) => new Uint8Array(n) } }),
  };
  expect(buildPayment({ chain, wallet: empty }, { outputs: [{ value: 1000n, script }] })).toEqual({
    fault: 'insufficient-funds',
  });
});
