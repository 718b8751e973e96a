import { BITCOIN_FORM } from '../../src/htlc/spend.ts';
import type { DecodedTransaction, TransactionOutput } from '../../src/htlc/transaction.ts';
import { createMemoryLog } from '../../src/log/memory/index.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { hash160 } from '../../src/primitives/hash.ts';
import { hexToBytes } from '../../src/primitives/hex.ts';
import { millisOf } from '../../src/primitives/time.ts';
import { ownedOutputs } from '../../src/smartchain/chain/address-index.ts';
import { decodeBlock, type IdentifiedTransaction } from '../../src/smartchain/chain/block.ts';
import { applyTransaction, emptyLedger, type Ledger, moveInLedger } from '../../src/smartchain/chain/ledger.ts';
import { ownerKey, scriptOwner } from '../../src/smartchain/chain/script-owner.ts';
import { heldTokens } from '../../src/smartchain/chain/token-index.ts';
import { openSmartChain } from '../../src/smartchain/node.ts';
import { DEFAULT_PARAMS } from '../../src/smartchain/params.ts';
import type { SnapshotStore } from '../../src/smartchain/snapshot/store.ts';
import { payloadScript } from '../../src/smartchain/tokens/payload.ts';
import { tokenScript } from '../../src/smartchain/tokens/scripts.ts';
import { identified } from '../support/smart-chain.ts';
import { assertSame, cpuMillis, median, type Row, type SuiteOptions } from './measure.ts';
import { transferRows } from './transfers.ts';

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const OUTPUTS_PER_TRANSACTION = 1_000;
const TOKENS_PER_TRANSACTION = 100;
const LOOKUPS = 20_000;
const BLOCKS = 100_000;

/** The embedded chain: blocks of token transfers, lookups in chains of any size, and opening a long one. */
export async function* smartChainSuite({ rounds, swaps = SIZES.at(-1) as number }: SuiteOptions): AsyncGenerator<Row> {
  yield* transferRows(rounds);
  yield* lookupRows(SIZES.filter((size) => size <= swaps));
  yield* openingRows(Math.min(BLOCKS, swaps));
}

const empty = new Uint8Array(0);
/** Coins of a key, so that every block is in the index of addresses. */
const OWNED_SCRIPT = Uint8Array.of(33, 2, ...new Uint8Array(32).fill(9), 0xac);

/** A look at what the same owners hold of a token and in coins, with ever more outputs of others in the chain. */
function* lookupRows(sizes: readonly number[]): Generator<Row> {
  const ledger = emptyLedger(DEFAULT_PARAMS);
  const owners: string[] = [];
  const holders: (readonly [string, string])[] = [];
  let smallest: { readonly tokens: number; readonly coins: number } | undefined;
  let outputs = 0;
  for (const size of sizes) {
    for (; outputs < size; outputs += OUTPUTS_PER_TRANSACTION) grow(ledger, { outputs, owners, holders });
    const tokens = lookupCost(
      holders.slice(0, TOKENS_PER_TRANSACTION),
      ([id, owner]) => heldTokens(ledger.tokens, id, owner).balance === 10n,
    );
    const coins = lookupCost(
      owners.slice(0, TOKENS_PER_TRANSACTION),
      (owner) => ownedOutputs(ledger.addresses, owner).unspent.size > 0,
    );
    smallest ??= { tokens, coins };
    const name = `smartchain: ${size.toLocaleString('en-GB')} outputs`;
    const row = (what: string, ours: number, reference: number) => {
      return { name: `${name}, ${what}`, unit: 'ns/lookup', ours, reference, ratio: ours / reference };
    };
    yield row('token balance', tokens, smallest.tokens);
    yield row('coins of an address', coins, smallest.coins);
  }
}

type Grown = { readonly outputs: number; readonly owners: string[]; readonly holders: (readonly [string, string])[] };

/** Adds a creation with tokens for owners of their own, and coins for as many. */
function grow(ledger: Ledger, { outputs, owners, holders }: Grown): void {
  const keyAt = (index: number) => Uint8Array.of(2, ...hexToBytes((outputs + index).toString(16).padStart(64, '0')));
  const made: TransactionOutput[] = [];
  for (let index = 0; index < OUTPUTS_PER_TRANSACTION - 1; index++) {
    const key = keyAt(index);
    const token = index < TOKENS_PER_TRANSACTION;
    made.push({ value: 10n, script: token ? tokenScript([key]) : Uint8Array.of(33, ...key, 0xac) });
  }
  const owner = keyAt(0);
  const payload = payloadScript({ kind: 'create', owner, name: empty, description: empty, blobs: [] });
  const fund = plainTransaction(outputs, [{ value: 1_000_000n, script: Uint8Array.of(33, ...owner, 0xac) }]);
  applyTransaction(ledger, fund, { height: 0, position: 0, token: undefined });
  const creation = identified({
    ...fund.transaction,
    inputs: [{ txid: fund.txid, vout: 0, scriptSig: empty, sequence: 0 }],
    outputs: [...made, { value: 0n, script: payload }],
  });
  applyTransaction(ledger, creation, { height: 0, position: 1, token: moveInLedger(ledger, creation) });
  for (const [index, { script }] of made.entries()) {
    const held = ownerKey(scriptOwner(script) ?? { kind: 'key', hash: hash160(script) });
    if (index < TOKENS_PER_TRANSACTION) holders.push([creation.txid, held]);
    else owners.push(held);
  }
}

function plainTransaction(number: number, outputs: readonly TransactionOutput[]): IdentifiedTransaction {
  const transaction: DecodedTransaction = {
    ...BITCOIN_FORM,
    lockTime: number,
    inputs: [{ txid: '0'.repeat(64), vout: 0xffff_ffff, scriptSig: empty, sequence: 0 }],
    outputs,
  };
  return identified(transaction);
}

function lookupCost<Key>(keys: readonly Key[], look: (key: Key) => boolean): number {
  const costs = Array.from({ length: 5 }, () => {
    const start = performance.now();
    let found = 0;
    for (let count = 0; count < LOOKUPS; count++) if (look(keys[(count * 7919) % keys.length] as Key)) found++;
    assertSame(found, LOOKUPS, 'lookups and hits');
    return ((performance.now() - start) * 1e6) / LOOKUPS;
  });
  return median(costs);
}

/** Opening a chain out of its log, and from a snapshot, against reading its blocks alone, in CPU time. */
async function* openingRows(blocks: number): AsyncGenerator<Row> {
  const log: EventLog = createMemoryLog();
  let seconds = 1_800_000_000;
  const now = () => millisOf(1000 * seconds++);
  const mined = await openSmartChain({ log, now });
  for (let count = 0; count < blocks; count++) await mined.mine({ script: OWNED_SCRIPT });
  const opening = async (snapshots: SnapshotStore) => {
    const start = cpuMillis();
    const opened = await openSmartChain({ log, now, snapshots });
    const took = cpuMillis() - start;
    const same = [mined, opened].map(({ tree }) => tree.tip?.block.hash);
    assertSame(same[1], same[0], 'the chain that was closed and the one that was opened');
    return took;
  };
  let kept: Uint8Array | undefined;
  const store = (every: number): SnapshotStore => ({
    every,
    load: async () => kept,
    save: async (bytes) => {
      kept = bytes;
    },
  });
  const folded = await opening(store(Number.MAX_SAFE_INTEGER));
  const saving = await opening(store(1));
  const restored = await opening(store(1));
  const readStart = cpuMillis();
  let read = 0;
  for (const { type, data } of await log.read('smart-chain/SWAP')) {
    if (type === 'BlockAccepted' && decodeBlock(hexToBytes((data as { hex: string }).hex)) !== undefined) read++;
  }
  const reference = cpuMillis() - readStart;
  assertSame(read, blocks + 1, 'blocks mined and blocks read');
  const name = `smartchain: opening ${blocks.toLocaleString('en-GB')} blocks`;
  const row = (how: string, ours: number) => ({
    name: `${name}${how}`,
    unit: 'ms of CPU',
    ours,
    reference,
    ratio: ours / reference,
  });
  yield row('', folded);
  yield row(', with a snapshot to write', saving);
  yield row(' from a snapshot', restored);
}
