import { expect, it } from 'vitest';
import { createChainIndex } from '../../../../src/chains/utxo/chain-index.ts';
import type { UtxoCoin } from '../../../../src/chains/utxo/coin.ts';
import type { Parts } from '../../../../src/chains/utxo/parts.ts';
import { prepare } from '../../../../src/chains/utxo/prepare.ts';
import { Purse } from '../../../../src/chains/utxo/purse.ts';
import { bareScript, ownScript } from '../../../../src/chains/utxo/sign-coins.ts';
import { encodeTransaction, SIGHASH_ALL, SMART_CHAIN_FORM, transactionId } from '../../../../src/htlc/index.ts';
import { KDF_NETWORK } from '../../../../src/htlc/network-profile.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import { signerOf } from '../../../support/litecoin/chain.ts';

// The fee of a taker is told by the key that its inputs show; a reward that was mined to the bare key shows none.

const COIN: UtxoCoin = {
  ...{ coin: 'DOC', decimals: 8, form: SMART_CHAIN_FORM, hashType: SIGHASH_ALL, address: 'p2pkh', scheme: 'p2sh' },
  ...{ dust: 1000n, finality: 4, blockTime: 60, maturity: 7, medianBlocks: 11 },
  fees: { rate: 2000n, floor: 1000n, ceiling: 100_000n },
};
const signer = signerOf('a miner');
const SWAP = '5b1ee4a6-9d6c-4c6e-8a52-1f0e5d3c7a91';

/** A wallet with coins at its address and at its bare key. */
function walletWith(atAddress: readonly bigint[], bare: readonly bigint[]): Parts {
  const index = createChainIndex(() => 100);
  const coins = [
    ...atAddress.map((value) => ({ value, script: ownScript(COIN, signer.key) })),
    ...bare.map((value) => ({ value, script: bareScript(signer.key) })),
  ];
  for (const [place, output] of coins.entries()) {
    const input = { txid: 'ab'.repeat(32), vout: place, scriptSig: new Uint8Array(0), sequence: 0 };
    const tx = { format: 'legacy', version: 1, inputs: [input], outputs: [output], lockTime: 0 } as const;
    const bytes = encodeTransaction(tx);
    index.put(transactionId(bytes, tx), { hex: bytesToHex(bytes), height: 50 });
  }
  const purse = new Purse({ index, signer, coin: COIN });
  const keys = { coins: signer, ofSwap: () => signer };
  return { coin: COIN, purse, signer: keys, network: KDF_NETWORK, birth: 0, reader: { index } } as unknown as Parts;
}

const feeOf = (parts: Parts, feeSat: bigint) =>
  prepare(parts, {
    request: { purpose: 'fee', feeSat, burnSat: 0n, urgency: 0, replaces: null },
    swap: SWAP,
    clock: 1_800_000_000 as UnixSeconds,
  });

it('a fee that only rewards at the bare key could pay is refused with what to do, and not postponed forever', async () => {
  const answer = await feeOf(walletWith([20_000n], [90_000_000n]), 30_000n);
  expect(answer).toEqual({
    ok: false,
    fault: {
      kind: 'insufficientFunds',
      message:
        'no coins for 0.0003 and its fee, except block rewards paid to the bare key: withdraw them to the own address first',
    },
  });
});

it('a fee that coins of the address can pay takes only those', async () => {
  const parts = walletWith([20_000n, 40_000n], [90_000_000n]);
  expect((await feeOf(parts, 50_000n)).ok).toBe(true);
});

it('a fee whose coins are promised at the moment is postponed', async () => {
  const parts = walletWith([20_000n, 40_000n], [90_000n]);
  expect((await feeOf(parts, 50_000n)).ok).toBe(true);
  // What is left is the change of the first, which nobody has sent.
  expect(await feeOf(parts, 3000n)).toMatchObject({ ok: false, fault: { kind: 'coinsPromised' } });
});

it('a fee above the balance is refused as such', async () => {
  const answer = await feeOf(walletWith([20_000n], [10_000n]), 40_000n);
  expect(answer).toMatchObject({
    ok: false,
    fault: { kind: 'insufficientFunds', message: 'not enough for 0.0004 and its fee' },
  });
});
