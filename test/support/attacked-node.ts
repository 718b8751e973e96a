import { expect } from 'vitest';
import { createMemoryLog } from '../../src/log/memory/index.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { bytesToHex } from '../../src/primitives/hex.ts';
import { Secret } from '../../src/primitives/secret.ts';
import { millisOf } from '../../src/primitives/time.ts';
import type { NodeContext, SmartChainCompatibility } from '../../src/rpc/smart-chain/context.ts';
import { dispatch, methodTable, type RpcAnswer } from '../../src/rpc/smart-chain/dispatch.ts';
import { METHODS } from '../../src/rpc/smart-chain/methods.ts';
import { openSmartChain } from '../../src/smartchain/node.ts';
import { openWallet } from '../../src/smartchain/wallet/wallet.ts';
import { keptLog } from '../src/rpc/smart-chain/small-methods.ts';
import { ledgerDigest, rebuiltLedger } from './ledger-digest.ts';
import { expectBalances, expectNoDoubleSpend, expectSupplies } from './smart-chain-recount.ts';

const TABLE = methodTable(METHODS);

/** What a JSON-RPC answer says. */
export type Reply = {
  readonly result: unknown;
  readonly error: null | { readonly code: number; readonly message: string };
  readonly id: unknown;
};

export type AttackedOptions = {
  readonly compatibility?: SmartChainCompatibility;
  /** @defaultValue one in memory */
  readonly log?: EventLog;
};

/** A node on a small chain of its own, called as over HTTP, whose log of unforeseen failures is kept. */
export async function attackedNode({ compatibility = 'specification', log = createMemoryLog() }: AttackedOptions = {}) {
  let time = 1_800_000_000_000;
  const now = () => {
    // Many looks fall into one second, as with callers who do not wait.
    time += 50;
    return millisOf(time);
  };
  const open = () => openSmartChain({ log, now, params: { maturity: 1, passiveEvals: [0xf7] } });
  const chain = await open();
  let drawn = 0;
  const wallet = await openWallet({
    prefixes: chain.params.prefixes,
    random: { bytes: (length) => new Uint8Array(length).map((_, index) => (++drawn * 31 + index * 7) & 0xff) },
    seed: new Secret('a phrase under attack'),
  });
  const context = { chain, wallet, compatibility, tokens: true, stop: () => {} } satisfies NodeContext;
  const logger = keptLog();
  const send = (body: string | Uint8Array): Promise<RpcAnswer> => dispatch(body, { methods: TABLE, context, logger });
  const call = async (method: string, params: readonly unknown[]): Promise<Reply> =>
    readReply(await send(JSON.stringify({ method, params, id: 1 })));
  return { context, chain, wallet, logger, send, call, open };
}

export type AttackedNode = Awaited<ReturnType<typeof attackedNode>>;

/** Reads one answer; whatever is not as the node's facts have it fails the test. */
export function readReply({ status, body }: RpcAnswer): Reply {
  expect(body.endsWith('\n')).toBe(true);
  const reply = JSON.parse(body) as Reply;
  expect(Object.keys(reply)).toEqual(['result', 'error', 'id']);
  if (reply.error === null) expect(status).toBe(200);
  else {
    expect(reply.result).toBeNull();
    expect(Object.keys(reply.error)).toEqual(['code', 'message']);
    expect([Number.isInteger(reply.error.code), typeof reply.error.message]).toEqual([true, 'string']);
    expect(status).toBe({ [-32600]: 400, [-32601]: 404 }[reply.error.code] ?? 500);
  }
  return reply;
}

/** The result of a call that must be answered with one. */
export async function resultOf<Result = string>(
  node: AttackedNode,
  method: string,
  ...params: readonly unknown[]
): Promise<Result> {
  const { result, error } = await node.call(method, params);
  if (error !== null) throw new Error(`${method}: ${error.code} ${error.message}`);
  return result as Result;
}

/** Blocks, tokens of both kinds, a waiting payment and a block beside the chain: something for each method to find. */
export async function settle(node: AttackedNode) {
  const send = async (method: string, ...params: readonly unknown[]) => {
    const { hex } = await resultOf<{ hex: string }>(node, method, ...params);
    return resultOf(node, 'sendrawtransaction', hex);
  };
  await resultOf(node, 'generate', 4);
  const token = await send('tokencreate', 'KITE', '0.00001', 'a kite');
  await resultOf(node, 'generate', 1);
  const nft = await send('tokencreate', 'ONE', '0.00000001', 'one', 'f7aabb');
  const [given = ''] = await resultOf<string[]>(node, 'generate', 1);
  const address = await resultOf(node, 'getnewaddress');
  const { pubkey } = await resultOf<{ pubkey: string }>(node, 'validateaddress', address);
  await resultOf(node, 'invalidateblock', given);
  await resultOf(node, 'generate', 3);
  const waiting = await resultOf(node, 'sendtoaddress', address, '1.5');
  const hex = await resultOf(node, 'getrawtransaction', waiting);
  const { hex: transfer } = await resultOf<{ hex: string }>(node, 'tokentransfer', token, pubkey, '5');
  const hash = await resultOf(node, 'getbestblockhash');
  const own = node.wallet.ownKey();
  const ownKey = bytesToHex(own?.publicKey ?? new Uint8Array(0));
  const ownAddress = own?.address ?? '';
  const signature = await resultOf(node, 'signmessage', ownAddress, 'hello');
  const wif = await resultOf(node, 'dumpprivkey', address);
  return { token, nft, given, address, pubkey, waiting, hex, transfer, hash, ownKey, ownAddress, signature, wif };
}

export type Settled = Awaited<ReturnType<typeof settle>>;

/** All that a call can change, as one text. */
export function stateOf({ chain, wallet }: Pick<AttackedNode, 'chain' | 'wallet'>): string {
  const { tree } = chain;
  return JSON.stringify([
    ledgerDigest(tree.ledger),
    tree.tip?.block.hash,
    [...tree.nodes.values()].map(({ block, failed }) => [block.hash, failed]),
    [...chain.mempool().entries.keys()],
    [...wallet.ring.keys.keys()],
    [...wallet.ring.watched],
  ]);
}

/** What must hold of a chain whatever was done to it, and again when it is read back from its log. */
export async function expectIntact(node: AttackedNode): Promise<void> {
  const { chain } = node;
  const { ledger } = chain.tree;
  const digest = ledgerDigest(ledger);
  expect(digest).toBe(ledgerDigest(rebuiltLedger(ledger)));
  expect(digest).toBe(ledgerDigest((await node.open()).tree.ledger));
  expectBalances(ledger);
  expectSupplies(ledger);
  expectNoDoubleSpend(chain);
}
