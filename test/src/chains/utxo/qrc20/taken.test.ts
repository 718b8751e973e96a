import { expect, it } from 'vitest';
import { createChainIndex } from '../../../../../src/chains/utxo/chain-index.ts';
import { Purse } from '../../../../../src/chains/utxo/purse.ts';
import { TokenTaken } from '../../../../../src/chains/utxo/qrc20/taken.ts';
import { signCoins } from '../../../../../src/chains/utxo/sign-coins.ts';
import { contractCallScript, hexToBytes, transferCall } from '../../../../../src/htlc/index.ts';
import { signerOf } from '../../../../support/litecoin/chain.ts';
import { accountOf, QTUM_COIN } from '../../../../support/qtum/chain.ts';

const TOKEN = 'd3'.repeat(20);
const owner = signerOf('owner');

/** Moves so many tokens, by the coin of this number; `read` counts how often somebody looks at what it makes. */
async function moving(amount: bigint, number: number) {
  const call = { gasLimit: 100_000n, gasPrice: 40n, contract: TOKEN };
  const data = hexToBytes(transferCall('ee'.repeat(20), amount));
  const coin = { txid: number.toString(16).padStart(64, '0'), vout: 3, value: 90_000_000n, bare: false };
  const outputs = [{ value: 0n, script: contractCallScript({ ...call, data }) }];
  const { txid, hex, tx } = await signCoins([coin], { outputs, coin: QTUM_COIN, signer: owner });
  const counted = { read: 0 };
  const watched = {
    ...tx,
    get outputs() {
      counted.read += 1;
      return tx.outputs;
    },
  };
  return { made: { txid, hex, tx: watched }, counted };
}

it('looks at what waits alone, however much was signed and confirmed before', async () => {
  const index = createChainIndex(() => 70);
  const purse = new Purse({ index, signer: owner, coin: QTUM_COIN });
  const taken = new TokenTaken({ token: TOKEN, account: accountOf('owner'), contracts: [], purse, index });
  const settled = await moving(400n, 1);
  const waiting = await moving(30n, 2);
  for (const { made } of [settled, waiting]) purse.take(made);
  expect(taken.signed(null)).toBe(430n);
  expect(taken.leavesApprovals()).toBe(true);
  index.put(settled.made.txid, { hex: settled.made.hex, height: 69 });
  settled.counted.read = 0;
  expect(taken.signed(null)).toBe(30n);
  expect(settled.counted.read).toBe(0);
  index.put(settled.made.txid, { hex: settled.made.hex, height: null });
  expect(taken.signed(null)).toBe(430n);
});
