import { expect, it } from 'vitest';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import { p2pkhScript } from '../../../../src/htlc/script.ts';
import { hash160 } from '../../../../src/primitives/hash.ts';
import { payloadScript } from '../../../../src/smartchain/tokens/payload.ts';
import { tokenScript } from '../../../../src/smartchain/tokens/scripts.ts';
import { coinsOfKey, coinsOfRing } from '../../../../src/smartchain/wallet/coins.ts';
import { buildCreate } from '../../../../src/smartchain/wallet/token-transactions.ts';
import {
  answerOf,
  builtOf,
  coinAt,
  largestCoin,
  makerOf,
  mineBlocks,
  scriptOf,
  spend,
  submit,
  testChain,
} from '../../../support/smart-chain.ts';

const none = new Uint8Array(0);

it('coins to a key, to its hash, and conditions with something dropped behind them are all opened', async () => {
  const test = await testChain();
  await mineBlocks(test, 4);
  const [a] = test.keys;
  const coin = largestCoin(test, a);
  const tail = Uint8Array.of(2, 7, 7, 0x75);
  const made = spend(test, {
    coins: [coin],
    outputs: [
      { value: 500n, script: concatBytes([tokenScript([a.publicKey]), tail]) },
      { value: coin.output.value - 3_000n, script: p2pkhScript(hash160(a.publicKey)) },
      {
        value: 0n,
        script: payloadScript({ kind: 'create', owner: a.publicKey, name: none, description: none, blobs: [] }),
      },
    ],
  });
  submit(test, made);
  await mineBlocks(test, 1);
  const next = spend(test, {
    coins: [coinAt(made, 1), coinAt(made, 0)],
    outputs: [
      { value: coin.output.value - 5_000n, script: scriptOf(a) },
      { value: 500n, script: tokenScript([a.publicKey]) },
      { value: 0n, script: payloadScript({ kind: 'transfer', tokenId: made.txid, keys: [a.publicKey], blobs: [] }) },
    ],
  });
  expect(answerOf(test.chain.submit(next))).toBe('taken');
});

it("coins that a stranger locked to a time are the key's own, and no inputs", async () => {
  const test = await testChain();
  await mineBlocks(test, 3);
  const [a, b] = test.keys;
  const lock = concatBytes([Uint8Array.of(2, 0xff, 0x7f, 0xb1, 0x75), scriptOf(b)]);
  const coin = largestCoin(test, a);
  const value = coin.output.value / 2n;
  const paid = spend(test, {
    coins: [coin],
    outputs: [
      { value, script: lock },
      { value: value - 1_000n, script: scriptOf(b) },
    ],
  });
  const { chain } = await testChain({ log: test.log, policy: { standardOnly: false } });
  const open = { ...test, chain };
  submit(open, paid);
  expect(
    coinsOfRing(chain, test.ring)
      .filter(({ txid }) => txid === paid.txid)
      .map(({ vout }) => vout),
  ).toEqual([1]);
  await mineBlocks(open, 1);
  expect(coinsOfKey(chain, b.publicKey).map(({ vout }) => vout)).toEqual([1]);
  const built = buildCreate(makerOf(open, b), { name: Uint8Array.of(65), supply: value, description: none });
  expect(built).toEqual({ error: 'cant find normal inputs' });
  submit(open, builtOf(buildCreate(makerOf(open, b), { name: Uint8Array.of(65), supply: 1_000n, description: none })));
});
