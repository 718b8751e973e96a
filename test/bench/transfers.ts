import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteLog } from '../../src/log/sqlite/index.ts';
import { blake2b256, hash160, sha256 } from '../../src/primitives/hash.ts';
import { bytesToHex } from '../../src/primitives/hex.ts';
import { millisOf } from '../../src/primitives/time.ts';
import { type Block, decodeBlock, encodeBlock } from '../../src/smartchain/chain/block.ts';
import { connectBlock, disconnectBlock } from '../../src/smartchain/chain/connect-block.ts';
import type { Ledger } from '../../src/smartchain/chain/ledger.ts';
import type { BlockNode } from '../../src/smartchain/chain/tree.ts';
import { publicKeyOf, signDer, verifyDer } from '../../src/smartchain/keys/secp256k1.ts';
import { payloadScript } from '../../src/smartchain/tokens/payload.ts';
import { MARKER_SCRIPT, tokenScript } from '../../src/smartchain/tokens/scripts.ts';
import { transferOf } from '../../src/smartchain/wallet/token-transactions.ts';
import { validatingLitecoind } from '../support/litecoin/validating.ts';
import { blockOn, coinAt, largestCoin, mineBlocks, scriptOf, spend, testChain } from '../support/smart-chain.ts';
import { assertSame, cpuMillis, median, type Row } from './measure.ts';

export const TRANSFERS = 1_000;
/** A token input and a coin for the fee. */
const SIGNATURES = 2 * TRANSFERS;

const empty = new Uint8Array(0);

/** A part of the work for a block of transfers. Tells the milliseconds of CPU time that it took. */
type Part = () => number | Promise<number>;

/**
 * Validating a block of token transfers, in CPU time of one core, beside what nobody can leave out: its signatures, its hashes and the
 * durable append. `litecoind` validates a block with as many signatures.
 */
export async function* transferRows(rounds: number): AsyncGenerator<Row> {
  const { ledger, block } = await blockOfTransfers();
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-bench-'));
  const log = await openSqliteLog({ path: join(folder, 'blocks.db') });
  const litecoind = await validatingLitecoind(SIGNATURES);
  const bytes = encodeBlock(block);
  const connecting = (verified: boolean) => () => {
    // Read anew, as from a peer: nothing that is kept beside its parts is there yet.
    const read = decodeBlock(bytes);
    if (read === undefined) throw new Error('the block cannot be read');
    const took = cpu(() => {
      assertSame(connectBlock(ledger, read, { isVerified: () => verified }), undefined, 'a good block and its verdict');
    });
    disconnectBlock(ledger);
    return took;
  };
  const parts = {
    whole: connecting(false),
    rules: connecting(true),
    signatures: signaturesAlone(),
    hashes: hashesAlone,
    append: appended(block, log),
    litecoind: litecoind?.validate ?? (() => Number.NaN),
  };
  try {
    yield* rowsOf(await medians(parts, rounds));
  } finally {
    await log.close();
    rmSync(folder, { recursive: true, force: true });
    litecoind?.stop();
  }
}

function cpu(work: () => void): number {
  const begun = cpuMillis();
  work();
  return cpuMillis() - begun;
}

async function medians<Name extends string>(
  parts: Readonly<Record<Name, Part>>,
  rounds: number,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(parts) as Name[];
  const taken = new Map<Name, number[]>(names.map((name) => [name, []]));
  // The first rounds are slower: nothing is compiled yet.
  for (let round = -3; round < rounds; round++) {
    for (const name of names) {
      const took = await parts[name]();
      if (round >= 0) taken.get(name)?.push(took);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(taken.get(name) ?? [])])) as Record<Name, number>;
}

type Costs = Readonly<Record<'whole' | 'rules' | 'signatures' | 'hashes' | 'append' | 'litecoind', number>>;

function* rowsOf({ whole, rules, signatures, hashes, append, litecoind }: Costs): Generator<Row> {
  const name = `smartchain: a block of ${TRANSFERS} token transfers`;
  const rate = (milliseconds: number) => (1000 * TRANSFERS) / milliseconds;
  const rates = (than: string, reference: number): Row => ({
    name: `${name} vs ${than}`,
    unit: 'transfers/s',
    ours: rate(whole),
    reference: rate(reference),
    ratio: reference / whole,
  });
  yield rates('its signatures alone', signatures);
  if (Number.isNaN(litecoind)) process.stderr.write('no litecoind: the row beside it is left out\n');
  else yield rates('as many signatures in litecoind', litecoind);
  const share = (what: string, part: number): Row => {
    const each = (milliseconds: number) => (1000 * milliseconds) / TRANSFERS;
    return { name: `${name}: ${what}`, unit: 'µs each', ours: each(part), reference: each(whole), ratio: part / whole };
  };
  yield share('signatures', signatures);
  yield share('hashes', hashes);
  yield share('rules of tokens, coins and indexes', rules);
  yield share('scripts and what is signed', whole - rules - signatures);
  yield share('the durable append, beside it', append);
}

function signaturesAlone(): Part {
  const secretKey = new Uint8Array(32).fill(7);
  const hash = new Uint8Array(32).fill(9);
  const signature = signDer({ hash, secretKey });
  const publicKey = publicKeyOf(secretKey);
  return () =>
    cpu(() => {
      for (let count = 0; count < SIGNATURES; count++) verifyDer({ hash, signature, publicKey });
    });
}

/** Lengths of what a transfer hashes for its signatures: outpoints, sequences, outputs, and each input with all of these. */
const SIGNED = [72, 8, 211, 317, 303];
const KEYS_AND_SCRIPTS = 5;
const CONDITIONS = [35, 1, 50, 80];
const personalization = new Uint8Array(16).fill(1);
const hashed = new Uint8Array(400).fill(7);

/** The hashes of each transfer: what is signed, its conditions, and whom the outputs belong to that it spends and makes. */
function hashesAlone(): number {
  return cpu(() => {
    for (let count = 0; count < TRANSFERS; count++) {
      for (const length of SIGNED) blake2b256(hashed.subarray(0, length), personalization);
      for (const length of CONDITIONS) sha256(hashed.subarray(0, length));
      for (let index = 0; index < KEYS_AND_SCRIPTS; index++) hash160(hashed.subarray(0, 48));
    }
  });
}

/** One record with the block, as the chain keeps it. */
function appended(block: Block, log: Awaited<ReturnType<typeof openSqliteLog>>): Part {
  const hex = bytesToHex(encodeBlock(block));
  let appends = 0;
  return async () => {
    const begun = cpuMillis();
    const record = { at: millisOf(1_800_000_000_000), type: 'BlockAccepted', version: 1, data: { hex } };
    await log.append({ stream: 'smart-chain/BENCH', expected: appends++, records: [record] });
    return cpuMillis() - begun;
  };
}

async function blockOfTransfers(): Promise<{ readonly ledger: Ledger; readonly block: Block }> {
  const test = await testChain();
  await mineBlocks(test, 3);
  const { chain, ring } = test;
  const [{ publicKey }] = test.keys;
  const coin = largestCoin(test, test.keys[0]);
  const created = spend(test, {
    coins: [coin],
    outputs: [
      { value: 10_000n, script: MARKER_SCRIPT },
      ...Array.from({ length: TRANSFERS }, () => ({ value: 10n, script: tokenScript([publicKey]) })),
      ...Array.from({ length: TRANSFERS }, () => ({ value: 50_000n, script: scriptOf(test.keys[0]) })),
      {
        value: 0n,
        script: payloadScript({ kind: 'create', owner: publicKey, name: empty, description: empty, blobs: [] }),
      },
    ],
  });
  await chain.submitBlock(blockOn(chain.tree.tip as BlockNode, chain, { transactions: [created] }));
  const frame = { params: chain.params, height: 5, ring, publicKey };
  const transactions = Array.from({ length: TRANSFERS }, (_, index) => {
    const tokens = [coinAt(created, 1 + index)];
    const paying = [coinAt(created, 1 + TRANSFERS + index)];
    const recipient = test.keys[1].publicKey;
    const options = { tokenId: created.txid, recipient, amount: 4n, tokens, paying, boundEval: undefined };
    return transferOf(frame, options).built;
  });
  return { ledger: chain.tree.ledger, block: blockOn(chain.tree.tip as BlockNode, chain, { transactions }) };
}
