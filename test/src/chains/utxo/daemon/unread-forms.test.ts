import { describe, expect, it } from 'vitest';
import { createUtxoChain } from '../../../../../src/chains/utxo/adapter.ts';
import type { UtxoCoin } from '../../../../../src/chains/utxo/coin.ts';
import type { DaemonAnswer, DaemonCall, DaemonClient } from '../../../../../src/chains/utxo/daemon/client.ts';
import { createDaemonReader } from '../../../../../src/chains/utxo/daemon/reader.ts';
import { feeOf } from '../../../../../src/chains/utxo/waiting.ts';
import {
  BITCOIN_FORM,
  bytesToHex,
  encodeTransaction,
  hash160,
  hexToBytes,
  htlcInputScripts,
  htlcRedeemScript,
  paymentOutputs,
  type ScriptScheme,
  SIGHASH_ALL,
  transactionId,
  unixSecondsOf,
} from '../../../../../src/htlc/index.ts';
import type { PaymentTerms } from '../../../../../src/ports/chain.ts';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import type { JsonObject, JsonValue } from '../../../../../src/primitives/json.ts';
import { answerOf } from '../../../../../src/testing/contracts/chain/scene.ts';
import { signerOf } from '../../../../support/litecoin/chain.ts';
import { virtualClock } from '../../../../support/virtual-clock.ts';

const SECRET = '5e'.repeat(32);
const CLAIM = 'c1'.repeat(32);
const terms: PaymentTerms = {
  lock: unixSecondsOf(1_800_000_000),
  secretHash: bytesToHex(hash160(hexToBytes(SECRET))),
  sender: bytesToHex(signerOf('a payer').key),
  receiver: bytesToHex(signerOf('a claimer').key),
  amount: '0.31' as DecimalText,
  contract: null,
};
const redeem = {
  lockTime: terms.lock,
  secretHash: hexToBytes(terms.secretHash),
  senderKey: hexToBytes(terms.sender),
  receiverKey: hexToBytes(terms.receiver),
};

const FORMS = [
  ['of the fifth version of Zcash', `050000800a27a726${'00'.repeat(60)}`],
  ['that pays into an extension block', `0200000000080a${'00'.repeat(60)}`],
  ['longer than is read', `0100000000010100${'00'.repeat(4_000_001)}`],
] as const;

/** A payment in the second of two blocks, and what takes it in bytes that nobody reads, as the daemon tells of it. */
function payment(scheme: ScriptScheme, hex: string) {
  const outputs = paymentOutputs({ terms: redeem, scheme, value: 31_000_000n });
  const input = { txid: 'ab'.repeat(32), vout: 4, scriptSig: Uint8Array.of(0x51), sequence: 0 };
  const tx = { ...BITCOIN_FORM, inputs: [input], outputs, lockTime: 0 };
  const bytes = encodeTransaction(tx);
  const txid = transactionId(bytes, tx);
  const shown = { scheme, signature: new Uint8Array(71).fill(7), redeemScript: htlcRedeemScript(redeem) };
  const { scriptSig, witness } = htlcInputScripts({ ...shown, kind: 'spend', secret: hexToBytes(SECRET) });
  const hidden = { ismweb: true, output_id: '9d'.repeat(32) };
  const taking: JsonObject = {
    txid,
    vout: 0,
    scriptSig: { asm: '', hex: bytesToHex(scriptSig) },
    ...(witness === undefined ? {} : { txinwitness: witness.map(bytesToHex) }),
    sequence: 4_294_967_293,
  };
  return {
    paying: { txid, hex: bytesToHex(bytes) },
    claiming: { txid: CLAIM, hex, vin: [hidden, taking] },
  };
}

function daemon({ paying, claiming }: ReturnType<typeof payment>, where: { waits: boolean }): DaemonClient {
  const answer = ([method, first, verbose]: DaemonCall): JsonValue => {
    const height = where.waits ? 1 : 2;
    if (method === 'getblockchaininfo') return { blocks: height, bestblockhash: `hash ${height}` };
    if (method === 'getrawmempool') return where.waits ? [CLAIM] : [];
    if (method === 'getblockhash') return `hash ${Number(first)}`;
    if (method === 'getrawtransaction') return verbose === 1 ? claiming : claiming.hex;
    const [, place] = String(first).split(' ');
    const held = place === '1' ? [paying] : place === '2' ? [claiming] : [];
    return { hash: first as string, time: 1_700_000_000 + Number(place), tx: held };
  };
  return { batch: async (calls) => calls.map((call): DaemonAnswer => ({ result: answer(call) })) };
}

describe.each(FORMS)('a claim in a transaction %s', (_, hex) => {
  it.each(['p2sh', 'p2wsh'] as const)('shows its secret while it waits and in a block, under %s', async (scheme) => {
    const where = { waits: true };
    const client = daemon(payment(scheme, hex), where);
    const reader = createDaemonReader({ client, birth: 0, decimals: 8, medianBlocks: 11 });
    const coin: UtxoCoin = {
      ...{ coin: 'LTC', decimals: 8, form: BITCOIN_FORM, hashType: SIGHASH_ALL, address: 'p2pkh', scheme },
      ...{ dust: 5460n, finality: 6, blockTime: 150, maturity: 100, medianBlocks: 11 },
      fees: { rate: 10_000n, floor: 1000n, ceiling: 1_000_000n },
    };
    const one = signerOf('a payer');
    const signer = { coins: one, ofSwap: () => one };
    const chain = createUtxoChain({ coin, reader, signer, clock: virtualClock(), birth: 0, poll: 10 });
    const claimed = { how: 'secret', secret: SECRET, tx: { tx_hash: CLAIM, tx_hex: hex } };
    const waiting = await answerOf(chain.payment({ terms }));
    expect(waiting.spend).toEqual({ ...claimed, confirmations: 0 });
    where.waits = false;
    const confirmed = await answerOf(chain.payment({ terms }));
    expect(confirmed.spend).toEqual({ ...claimed, confirmations: 1 });
    const seen = reader.index.get(CLAIM);
    expect(seen?.tx.outputs).toEqual([]);
    expect(seen === undefined ? null : feeOf(reader.index, seen)).toBeUndefined();
  });
});
