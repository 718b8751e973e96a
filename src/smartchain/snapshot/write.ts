import { sha256 } from '../../primitives/hash.ts';
import { hexToBytes } from '../../primitives/hex.ts';
import type { AddressIndex } from '../chain/address-index.ts';
import { type Block, encodeBlock } from '../chain/block.ts';
import type { TxRecord } from '../chain/records.ts';
import type { SentTransactions } from '../chain/sent.ts';
import type { TokenIndex } from '../chain/token-index.ts';
import type { BlockNode, BlockTree } from '../chain/tree.ts';
import { paramsText } from '../chain-rules.ts';
import type { Replayed } from '../replay-ledger.ts';
import type { TokenMove } from '../tokens/move.ts';
import { ByteSink } from './byte-store.ts';
import { KeptBlock } from './kept.ts';

/** Number of the format, and of what the records of a ledger add up to: raise it when either changes. */
export const SNAPSHOT_FORM = 1;
export const NONE = 0xffff_ffff;
export const NO_CODE = 0x100;

/** Of which log a snapshot is. */
export type Seal = {
  readonly stream: string;
  /** Number of records of the stream that it covers. */
  readonly length: number;
  /** Hash of the last one of them, which chains to all before it. */
  readonly head: string;
};

/**
 * A ledger as bytes: a digest of the rest, the seal, the tree of blocks, the state of the active chain, and the sent transactions. Leaves out which
 * scripts are verified: they run again if a block is disconnected and connected again.
 */
export function writeSnapshot({ tree, sent }: Replayed, { stream, length, head }: Seal): Uint8Array {
  const sink = new ByteSink();
  sink.raw(new Uint8Array(32));
  sink.u32(SNAPSHOT_FORM);
  sink.text(stream);
  sink.u32(length);
  sink.text(head);
  sink.text(paramsText(tree.params));
  writeTree(sink, tree);
  const places = writeRecords(sink, tree);
  writeAddresses(sink, tree.ledger.addresses, places);
  writeTokens(sink, tree.ledger.tokens, places);
  writeSent(sink, sent);
  const bytes = sink.done();
  bytes.set(sha256(bytes.subarray(32)));
  return bytes;
}

function rawOf(block: Block): Uint8Array {
  return block instanceof KeptBlock ? block.raw : encodeBlock(block);
}

/** Nodes by arrival, then the active chain by height. */
function writeTree(sink: ByteSink, { nodes, ledger, final }: BlockTree): void {
  const placeOf = (node: BlockNode | undefined) => node?.arrival ?? NONE;
  sink.u32(nodes.size);
  for (const node of nodes.values()) {
    sink.raw(hexToBytes(node.block.hash));
    sink.u32(placeOf(node.parent));
    sink.u32(node.block instanceof KeptBlock ? node.block.bits : node.block.header.bits);
    sink.u8(node.failed ? 1 : 0);
    sink.bytes(rawOf(node.block));
  }
  sink.u32(ledger.blocks.length);
  for (const { hash } of ledger.blocks) sink.u32(placeOf(nodes.get(hash)));
  sink.u32(placeOf(final));
}

type Places = ReadonlyMap<string, number>;

/** Ids of all transactions of the active chain in their order, then what is known of each. */
function writeRecords(sink: ByteSink, { ledger }: BlockTree): Places {
  const { transactions } = ledger;
  const records = [...transactions.values()];
  const places = new Map(records.map(({ txid }, place) => [txid, place]));
  sink.u32(records.length);
  for (const { txid } of records) sink.raw(hexToBytes(txid));
  for (const record of records) writeRecord(sink, record, places);
  return places;
}

function writeRecord(sink: ByteSink, record: TxRecord, places: Places): void {
  const { bytes, height, position, coinbase, token, spentBy, spendable } = record;
  sink.u32(height);
  sink.u32(position);
  sink.u8(coinbase ? 1 : 0);
  sink.u32(spendable);
  sink.bytes(bytes);
  writeMove(sink, token);
  sink.u32(spentBy.length);
  for (const spender of spentBy) {
    sink.u32(spender === undefined ? NONE : (places.get(spender.txid) ?? NONE));
    if (spender !== undefined) sink.u32(spender.input);
  }
}

function writeMove(sink: ByteSink, move: TokenMove | undefined): void {
  sink.u8(move === undefined ? 0 : move.kind === 'create' ? 1 : 2);
  if (move === undefined) return;
  sink.raw(hexToBytes(move.tokenId));
  sink.amount(move.amount);
  sink.u32(move.boundEval ?? NO_CODE);
  sink.u32(move.outputs.size);
  for (const vout of move.outputs) sink.u32(vout);
}

function writeAddresses(sink: ByteSink, addresses: AddressIndex, places: Places): void {
  sink.u32(addresses.size);
  for (const [owner, { unspent, balance, received, outputs }] of addresses) {
    sink.text(owner);
    sink.amount(balance);
    sink.amount(received);
    sink.u32(outputs);
    sink.u32(unspent.size);
    for (const { txid, vout } of unspent.values()) {
      sink.u32(places.get(txid) ?? NONE);
      sink.u32(vout);
    }
  }
}

function writeTokens(sink: ByteSink, tokens: TokenIndex, places: Places): void {
  sink.u32(tokens.size);
  for (const [name, { unspent, balance }] of tokens) {
    sink.text(name);
    sink.amount(balance);
    sink.u32(unspent.size);
    for (const { txid, vout, amount } of unspent.values()) {
      sink.u32(places.get(txid) ?? NONE);
      sink.u32(vout);
      sink.amount(amount);
    }
  }
}

function writeSent(sink: ByteSink, { all }: SentTransactions): void {
  sink.u32(all.size);
  for (const { txid, bytes, time } of all.values()) {
    sink.raw(hexToBytes(txid));
    sink.u32(time);
    sink.bytes(bytes);
  }
}
