import { describe, expect, it } from 'vitest';
import { createUtxoChain } from '../../../../src/chains/utxo/adapter.ts';
import { createChainIndex } from '../../../../src/chains/utxo/chain-index.ts';
import { readUtxoEntry } from '../../../../src/chains/utxo/coin-entry.ts';
import { madeOf } from '../../../../src/chains/utxo/made.ts';
import { KDF_NETWORK, p2pkhScript, SMART_CHAIN_FORM } from '../../../../src/htlc/index.ts';
import { encodeTransaction } from '../../../../src/htlc/transaction-encoding.ts';
import { hash160 } from '../../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { unixSecondsOf } from '../../../../src/primitives/time.ts';
import { signerOf } from '../../../support/litecoin/chain.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const OWN = signerOf('the coins of a taker');
const OP_RETURN = 0x6a;
const { tradingFee } = KDF_NETWORK;
const TO_A_KEY = {
  ...KDF_NETWORK,
  tradingFee: tradingFee && {
    ...tradingFee,
    burn: tradingFee.burn && { ...tradingFee.burn, key: '02'.padEnd(66, '7') },
  },
};

/** The outputs of a fee of 7,000 base units, or why there is none. */
async function feeOf(options: {
  readonly keyPerSwap: boolean;
  readonly burnSat: bigint;
  readonly network?: typeof TO_A_KEY;
}) {
  const { keyPerSwap, burnSat, network = KDF_NETWORK } = options;
  const index = createChainIndex(() => 9);
  const input = { txid: '22'.repeat(32), vout: 0, scriptSig: new Uint8Array(0), sequence: 0xffff_ffff };
  const outputs = [{ value: 1_000_003n, script: p2pkhScript(hash160(OWN.key)) }];
  const hex = bytesToHex(encodeTransaction({ ...SMART_CHAIN_FORM, inputs: [input], outputs, lockTime: 0 }));
  index.put(madeOf(hex)?.txid ?? '', { hex, height: 4 });
  const reader = {
    ...{ index, follow: async () => true, find: async () => true, timeOf: async () => null, send: async () => null },
    ...{ sync: async () => ({ hash: 'aa', height: 9, clock: unixSecondsOf(1) }), estimate: async () => null },
  };
  const chain = createUtxoChain({
    coin: readUtxoEntry({ coin: 'KMD', txversion: 4, overwintered: 1 }, { finality: 2, scheme: 'p2sh' }).coin,
    signer: { coins: OWN, ofSwap: (swap) => (keyPerSwap ? signerOf(`a key for ${swap}`) : OWN) },
    ...{ reader, network, clock: virtualClock(0), birth: 0, poll: 5 },
  });
  const request = { purpose: 'fee', feeSat: 7000n, burnSat, urgency: 0, replaces: null } as const;
  const answer = await chain.prepare(request, { swap: 'one' });
  if (!answer.ok) return answer.fault;
  return madeOf(answer.value.tx_hex)?.tx.outputs.map(({ value, script }) => ({
    value,
    isData: script[0] === OP_RETURN,
  }));
}

describe('a fee of a wallet with a key for each swap', () => {
  it('names its swap in one data output, after what it pays', async () => {
    expect(await feeOf({ keyPerSwap: true, burnSat: 0n })).toEqual([
      { value: 7000n, isData: false },
      { value: 0n, isData: true },
      { value: expect.anything(), isData: false },
    ]);
    expect(await feeOf({ keyPerSwap: true, burnSat: 2000n, network: TO_A_KEY })).toMatchObject([
      { value: 7000n, isData: false },
      { value: 2000n, isData: false },
      { value: 0n, isData: true },
      { isData: false },
    ]);
  });

  it('with a part burned by data is refused: nodes relay one data output', async () => {
    expect(await feeOf({ keyPerSwap: true, burnSat: 2000n })).toEqual({
      kind: 'unsupported',
      message: expect.stringContaining('cannot name its swap'),
    });
  });

  it('does not ask for one if all swaps have one key', async () => {
    expect(await feeOf({ keyPerSwap: false, burnSat: 2000n })).toMatchObject([
      { value: 7000n, isData: false },
      { value: 2000n, isData: true },
      { isData: false },
    ]);
  });
});
