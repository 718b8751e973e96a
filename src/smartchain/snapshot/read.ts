import { sha256 } from '../../primitives/hash.ts';
import { sameBytes } from '../../primitives/hex.ts';
import type { AddressIndex, UnspentEntry } from '../chain/address-index.ts';
import { workOf } from '../chain/proof-of-work.ts';
import type { Spender, TxRecord } from '../chain/records.ts';
import { addSent, noneSent, type SentTransactions } from '../chain/sent.ts';
import type { HeldTokens, TokenIndex } from '../chain/token-index.ts';
import { type BlockNode, type BlockTree, blockTree } from '../chain/tree.ts';
import type { ChainParams } from '../params.ts';
import type { Replayed } from '../replay-ledger.ts';
import type { TokenMove } from '../tokens/move.ts';
import { ByteSource, entryAt, NoSnapshot, type Span } from './byte-store.ts';
import { KeptBlock, KeptEntry, KeptOutputs, KeptRecord, KeptSent } from './kept.ts';
import { NO_CODE, NONE, type Seal, SNAPSHOT_FORM } from './write.ts';

const DIGEST_BYTES = 32;

/** A snapshot with a valid digest and a known form. */
export type Snapshot = Seal & {
  /** The rules of its chain, as `paramsText` writes them. */
  readonly params: string;
  /** Its content, for a chain with these rules; undefined if its parts do not fit together. Call once. */
  restore(params: ChainParams): Replayed | undefined;
};

/** Reads the seal of a snapshot; undefined for other bytes, and for damaged ones. Never throws. */
export function readSnapshot(bytes: Uint8Array): Snapshot | undefined {
  const body = bytes.subarray(DIGEST_BYTES);
  if (bytes.length < DIGEST_BYTES || !sameBytes(sha256(body), bytes.subarray(0, DIGEST_BYTES))) return undefined;
  const source = new ByteSource(body);
  return unlessNone(() => {
    if (source.u32() !== SNAPSHOT_FORM) return undefined;
    const [stream, length, head, params] = [source.text(), source.u32(), source.text(), source.text()];
    return { stream, length, head, params, restore: (rules) => unlessNone(() => restored(source, rules)) };
  });
}

function unlessNone<Value>(read: () => Value | undefined): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof NoSnapshot) return undefined;
    throw error;
  }
}

function restored(source: ByteSource, params: ChainParams): Replayed {
  const tree = blockTree(params);
  const nodes = readTree(source, tree);
  readRecords(source, tree);
  const records = [...tree.ledger.transactions.values()];
  readAddresses(source, { addresses: tree.ledger.addresses, records });
  readTokens(source, { tokens: tree.ledger.tokens, records });
  const sent = readSent(source);
  if (!source.isDone || nodes.length !== tree.nodes.size)
    throw new NoSnapshot('some data is left over, or occurs twice');
  return { tree, sent };
}

/** A node whose children are counted later: a list that is grown by one takes room for sixteen. */
type Growing = Omit<BlockNode, 'children' | 'parent'> & { readonly parent: Growing | undefined; children: BlockNode[] };

function readTree(source: ByteSource, tree: BlockTree): readonly BlockNode[] {
  const nodes: Growing[] = [];
  const works = new Map<number, bigint>();
  for (let left = source.count(45); left > 0; left--) {
    const hash = source.hash();
    const place = source.u32();
    const parent = place === NONE ? undefined : entryAt(nodes, place);
    const bits = source.u32();
    const work = works.get(bits) ?? workOf(bits);
    works.set(bits, work);
    const failed = source.u8() === 1;
    const node: Growing = {
      block: new KeptBlock({ hash, bits, at: source.span() }),
      parent,
      height: parent === undefined ? 0 : parent.height + 1,
      work: (parent?.work ?? 0n) + work,
      arrival: nodes.length,
      children: [],
      failed,
    };
    if (parent?.children.length === 0) parent.children = [node];
    else parent?.children.push(node);
    nodes.push(node);
    tree.nodes.set(hash, node);
  }
  for (let left = source.count(4); left > 0; left--) {
    const node = entryAt(nodes, source.u32());
    tree.ledger.heights.set(node.block.hash, tree.ledger.blocks.length);
    tree.ledger.blocks.push(node.block);
    tree.tip = node;
  }
  const final = source.u32();
  tree.final = final === NONE ? undefined : entryAt(nodes, final);
  return nodes;
}

/** A transaction whose spenders may follow it. */
type Open = { readonly record: TxRecord; readonly spenders: readonly (readonly [place: number, input: number])[] };

function readRecords(source: ByteSource, { ledger }: BlockTree): void {
  const txids: string[] = [];
  for (let left = source.count(32); left > 0; left--) txids.push(source.hash());
  const records: TxRecord[] = [];
  const open: Open[] = [];
  for (const txid of txids) {
    const [height, position, coinbase, spendable] = [source.u32(), source.u32(), source.u8() === 1, source.u32()];
    const [at, token] = [source.span(), readMove(source)];
    const spentBy = new Array<Spender | undefined>(source.count(4)).fill(undefined);
    let spenders: (readonly [number, number])[] | undefined;
    for (let vout = 0; vout < spentBy.length; vout++) {
      const place = source.u32();
      if (place === NONE) continue;
      spenders ??= [];
      spenders[vout] = [place, source.u32()];
    }
    const record = new KeptRecord({ txid, at, height, position, coinbase, token, spentBy, spendable });
    if (spenders !== undefined) open.push({ record, spenders });
    records.push(record);
    ledger.transactions.set(txid, record);
  }
  for (const { record, spenders } of open) {
    spenders.forEach(([place, input], vout) => {
      const { txid, height } = entryAt(records, place);
      record.spentBy[vout] = { txid, input, height };
    });
  }
}

function readMove(source: ByteSource): TokenMove | undefined {
  const kind = source.u8();
  if (kind === 0) return undefined;
  const [tokenId, amount, code] = [source.hash(), source.amount(), source.u32()];
  const outputs = new Set<number>();
  for (let left = source.count(4); left > 0; left--) outputs.add(source.u32());
  const boundEval = code === NO_CODE ? undefined : code;
  return { kind: kind === 1 ? 'create' : 'transfer', tokenId, outputs, amount, boundEval };
}

type Records = { readonly records: readonly TxRecord[] };

function readAddresses(source: ByteSource, { addresses, records }: Records & { addresses: AddressIndex }): void {
  for (let owners = source.count(44); owners > 0; owners--) {
    const owner = source.text();
    const [balance, received, outputs] = [source.amount(), source.amount(), source.u32()];
    const places = source.spanOf(8 * source.count(8));
    addresses.set(owner, new KeptOutputs({ balance, received, outputs }, () => unspentOf(places, records)));
  }
}

function unspentOf({ within, start, end }: Span, records: readonly TxRecord[]): Map<string, UnspentEntry> {
  const source = new ByteSource(within.subarray(start, end));
  const unspent = new Map<string, UnspentEntry>();
  while (!source.isDone) {
    const entry = new KeptEntry(entryAt(records, source.u32()), source.u32());
    unspent.set(`${entry.txid}:${entry.vout}`, entry);
  }
  return unspent;
}

function readTokens(source: ByteSource, { tokens, records }: Records & { tokens: TokenIndex }): void {
  for (let owners = source.count(24); owners > 0; owners--) {
    const name = source.text();
    const balance = source.amount();
    const unspent: HeldTokens['unspent'] = new Map();
    for (let left = source.count(24); left > 0; left--) {
      const { txid } = entryAt(records, source.u32());
      const [vout, amount] = [source.u32(), source.amount()];
      unspent.set(`${txid}:${vout}`, { txid, vout, amount });
    }
    tokens.set(name, { unspent, balance });
  }
}

function readSent(source: ByteSource): SentTransactions {
  const sent = noneSent();
  for (let left = source.count(40); left > 0; left--) {
    const [txid, time, bytes] = [source.hash(), source.u32(), source.bytes()];
    addSent(sent, new KeptSent({ txid, time, bytes }));
  }
  return sent;
}
