import { concatBytes } from '../../src/htlc/byte-writer.ts';
import { p2shScript, pushData } from '../../src/htlc/script.ts';
import { SIGHASH_ALL, signatureHasher } from '../../src/htlc/signature-hash.ts';
import { hash160 } from '../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../src/primitives/hex.ts';
import { encodeAddress } from '../../src/smartchain/encoding/address.ts';
import { publicKeyOf, signDer } from '../../src/smartchain/keys/secp256k1.ts';
import { PREFIXES } from '../../src/smartchain/params.ts';
import { decodeChainTransaction, encodeChainTransaction } from '../../src/smartchain/transaction.ts';
import type { WatchedNode } from './held.ts';
import { assertSame } from './measure.ts';

export type HeldCall = { readonly name: string; readonly run: () => Promise<unknown> };

const MATURE_BLOCKS = 101;
const EMPTY_LISTS = 11_000_000;
const ADDRESSES = 300_000;
/** As many as a body may hold. */
const ALLOWED_ADDRESSES = 99_000;
const MEGABYTE = 1_000_000;
const OUTPUT = `${'00'.repeat(8)}1976a914${'5c'.repeat(20)}88ac`;
/** Three times as many as are relayed: 22,500 checks. */
const INPUTS = 1_500;
/** As many as are relayed: 7,995 checks, of the 8,000 that are a fifth of a block's. */
const TAKEN_INPUTS = 533;
const KEYS = 15;
const COIN = 0.001;
const COIN_SATOSHIS = 100_000n;
/** What a transaction of these pays on; the rest is its fee. */
const PAID = 0.5;

/** The calls that once kept a node from everything else for seconds. Each is made as often as there are rounds. */
export async function* heldCalls(node: WatchedNode, rounds: number): AsyncGenerator<HeldCall> {
  yield { name: 'held: nothing, for a second', run: () => new Promise((resolve) => setTimeout(resolve, 1000)) };

  const outputs = Math.floor((MEGABYTE - 60) / (OUTPUT.length / 2));
  const count = outputs.toString(16).padStart(4, '0').match(/../g)?.reverse().join('') ?? '';
  const megabyte = `0100000001${'11'.repeat(32)}0000000000fffffffffd${count}${OUTPUT.repeat(outputs)}00000000`;
  yield { name: 'held: decoding 1 MB', run: () => node.call('decoderawtransaction', megabyte) };

  const lists = `[${'[],'.repeat(EMPTY_LISTS - 1)}[]]`;
  yield { name: 'held: 11,000,000 [] in a body', run: () => node.post(lists) };

  const all = addressesOf(ADDRESSES);
  const asking = (addresses: readonly string[]) =>
    JSON.stringify({ id: 1, method: 'getaddressutxos', params: [{ addresses }] });
  const [refused, allowed] = [asking(all), asking(all.slice(0, ALLOWED_ADDRESSES))];
  yield { name: 'held: 300,000 addresses', run: () => node.post(refused) };
  yield { name: 'held: 99,000 addresses, as many as are taken', run: () => node.post(allowed) };

  await node.call('generate', MATURE_BLOCKS);
  const raw = await manyChecks(node, INPUTS);
  const send = async (hex: string) => JSON.parse(await node.post(bodyOf('sendrawtransaction', hex)));
  yield {
    name: 'held: 1,500 inputs of 1-of-15, sent, which are too many checks',
    run: async () => {
      const { error } = await send(raw);
      assertSame(error?.message, '64: bad-txns-too-many-sigops', 'why too many checks are refused');
    },
  };
  const taken: string[] = [];
  for (let round = 0; round < rounds; round++) taken.push(await manyChecks(node, TAKEN_INPUTS));
  yield {
    name: 'held: 533 inputs of 1-of-15, sent, each of whose checks is made',
    run: async () => assertSame((await send(taken.pop() ?? '')).error, null, 'how as many checks as are taken end'),
  };
  yield {
    name: 'held: 1,500 inputs of 1-of-15, signed, each of whose checks is made',
    run: async () => {
      const { complete } = await node.call<{ complete: boolean }>('signrawtransaction', raw);
      assertSame(complete, true, 'whether every input passes');
    },
  };
}

function bodyOf(method: string, ...params: readonly unknown[]): string {
  return JSON.stringify({ id: 1, method, params });
}

function addressesOf(count: number): string[] {
  const hash = new Uint8Array(20);
  const view = new DataView(hash.buffer);
  return Array.from({ length: count }, (_, index) => {
    view.setUint32(0, index);
    return encodeAddress({ kind: 'key', hash }, PREFIXES.main);
  });
}

function secretOf(number: number): Uint8Array {
  const secretKey = new Uint8Array(32);
  new DataView(secretKey.buffer).setUint32(28, number + 1);
  return secretKey;
}

/** A transaction whose inputs each redeem one signature of fifteen keys, that of the last key, so that all are tried. */
async function manyChecks(node: WatchedNode, count: number): Promise<string> {
  const others = Array.from({ length: KEYS - 1 }, (_, index) => pushData(publicKeyOf(secretOf(index))));
  const redeems = Array.from({ length: count }, (_, index) => {
    const last = pushData(publicKeyOf(secretOf(KEYS + index)));
    return concatBytes([Uint8Array.of(0x51), ...others, last, Uint8Array.of(0x50 + KEYS, 0xae)]);
  });
  const addressOf = (redeem: Uint8Array) => encodeAddress({ kind: 'script', hash: hash160(redeem) }, PREFIXES.main);
  const paid = Object.fromEntries(redeems.map((redeem) => [addressOf(redeem), COIN]));
  const txid = await node.call<string>('sendmany', '', paid);
  await node.call('generate', 1);
  const funding = decoded(await node.call<string>('getrawtransaction', txid));
  const voutOf = new Map(funding.outputs.map(({ script }, vout) => [bytesToHex(script), vout]));
  const coins = redeems.map((redeem) => ({ txid, vout: voutOf.get(bytesToHex(p2shScript(redeem))) }));
  const draft = decoded(
    await node.call<string>('createrawtransaction', coins, { [await node.call<string>('getnewaddress')]: PAID }),
  );
  const hashOf = signatureHasher(draft);
  const inputs = draft.inputs.map((input, index) => {
    const scriptCode = redeems[index] as Uint8Array;
    const hash = hashOf({ input: index, scriptCode, amount: COIN_SATOSHIS, hashType: SIGHASH_ALL });
    if (hash === undefined) throw new Error('an input cannot be signed');
    const signature = concatBytes([signDer({ hash, secretKey: secretOf(KEYS + index) }), Uint8Array.of(SIGHASH_ALL)]);
    return { ...input, scriptSig: concatBytes([Uint8Array.of(0), pushData(signature), pushData(scriptCode)]) };
  });
  return bytesToHex(encodeChainTransaction({ ...draft, inputs }));
}

function decoded(hex: string) {
  const read = decodeChainTransaction(hexToBytes(hex));
  if (read === undefined) throw new Error('a transaction cannot be read');
  return read.transaction;
}
