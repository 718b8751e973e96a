import { base64 } from '@scure/base';
import { sha256 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import type { CometBlock } from './chain.ts';
import type { AppEvent, TxResult } from './result.ts';

// What a node of CometBFT 0.38 writes: counts as decimal texts, hashes as hex in upper case, bytes as base64.

export type Json = { readonly [name: string]: unknown };

function hashOf(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text))).toUpperCase();
}

const ZERO_HASH = hashOf('nothing');
const PROPOSER = ZERO_HASH.slice(0, 40);

export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', '.000000000Z');
}

export function appHash({ hash }: CometBlock): string {
  return hashOf(`state ${hash}`);
}

function blockId(hash: string): Json {
  return { hash: hash.toUpperCase(), parts: { total: 1, hash: ZERO_HASH } };
}

function eventsOf(events: readonly AppEvent[]): readonly Json[] {
  return events.map(({ type, attributes }) => ({
    type,
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: true })),
  }));
}

export function resultJson({ code, codespace, log, gasWanted, gasUsed, events }: TxResult): Json {
  const gas = { gas_wanted: String(gasWanted), gas_used: String(gasUsed) };
  return { code, data: null, log, info: '', ...gas, events: eventsOf(events), codespace };
}

/** A transaction in a block, by its place in it. */
export function txJson(block: CometBlock, index: number): Json {
  const included = block.transactions[index];
  if (included === undefined) throw new RangeError(`block ${block.height} has no transaction ${index}`);
  const { id, bytes, result } = included;
  const place = { height: String(block.height), index, tx: base64.encode(bytes) };
  return { hash: id.toUpperCase(), ...place, tx_result: resultJson(result) };
}

export function headerJson(block: CometBlock, chainId: string): Json {
  return {
    ...{ version: { block: '11', app: '0' }, chain_id: chainId, height: String(block.height) },
    ...{ time: timeText(block.time), last_block_id: blockId(block.previous), last_commit_hash: ZERO_HASH },
    ...{ data_hash: ZERO_HASH, validators_hash: ZERO_HASH, next_validators_hash: ZERO_HASH },
    ...{ consensus_hash: ZERO_HASH, app_hash: appHash(block), last_results_hash: ZERO_HASH },
    ...{ evidence_hash: ZERO_HASH, proposer_address: PROPOSER },
  };
}

export function blockJson(block: CometBlock, chainId: string): Json {
  const commit = { height: String(block.height - 1), round: 0, block_id: { hash: '', parts: { total: 0, hash: '' } } };
  return {
    block_id: blockId(block.hash),
    block: {
      header: headerJson(block, chainId),
      data: { txs: block.transactions.map(({ bytes }) => base64.encode(bytes)) },
      evidence: { evidence: [] },
      last_commit: { ...commit, signatures: [] },
    },
  };
}

type Standing = {
  readonly chainId: string;
  readonly version: string;
  readonly tip: CometBlock;
  readonly first: CometBlock;
  readonly isCatchingUp: boolean;
};

export function statusJson({ chainId, version, tip, first, isCatchingUp }: Standing): Json {
  return {
    node_info: {
      ...{ protocol_version: { p2p: '8', block: '11', app: '0' }, id: PROPOSER.toLowerCase() },
      ...{ listen_addr: 'tcp://127.0.0.1:26656', network: chainId, version, channels: '40202122233038606100' },
      ...{ moniker: 'a chain for tests', other: { tx_index: 'on', rpc_address: 'tcp://127.0.0.1:26657' } },
    },
    sync_info: {
      ...{ latest_block_hash: tip.hash.toUpperCase(), latest_app_hash: appHash(tip) },
      ...{ latest_block_height: String(tip.height), latest_block_time: timeText(tip.time) },
      ...{ earliest_block_hash: first.hash.toUpperCase(), earliest_app_hash: appHash(first) },
      ...{ earliest_block_height: String(first.height), earliest_block_time: timeText(first.time) },
      catching_up: isCatchingUp,
    },
    validator_info: {
      address: PROPOSER,
      pub_key: { type: 'tendermint/PubKeyEd25519', value: base64.encode(new Uint8Array(32).fill(7)) },
      voting_power: '0',
    },
  };
}
