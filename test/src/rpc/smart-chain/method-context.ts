import { BITCOIN_FORM } from '../../../../src/htlc/spend.ts';
import type { TransactionOutput } from '../../../../src/htlc/transaction.ts';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import type { EventLog } from '../../../../src/ports/event-log.ts';
import { hash160 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import type { NodeContext, SmartChainCompatibility } from '../../../../src/rpc/smart-chain/context.ts';
import { jsonSteps } from '../../../../src/rpc/smart-chain/json-text.ts';
import type { Params } from '../../../../src/rpc/smart-chain/method.ts';
import { METHODS } from '../../../../src/rpc/smart-chain/methods.ts';
import { RpcError } from '../../../../src/rpc/smart-chain/rpc-error.ts';
import { addOutput } from '../../../../src/smartchain/chain/address-index.ts';
import type { Block, IdentifiedTransaction } from '../../../../src/smartchain/chain/block.ts';
import { filedOutput } from '../../../../src/smartchain/chain/filed-output.ts';
import { applyTransaction, emptyLedger, type Ledger, moveInLedger } from '../../../../src/smartchain/chain/ledger.ts';
import { emptyMempool } from '../../../../src/smartchain/chain/mempool.ts';
import { DEFAULT_RELAY_POLICY, type RelayPolicy } from '../../../../src/smartchain/chain/relay-policy.ts';
import { noneSent } from '../../../../src/smartchain/chain/sent.ts';
import { encodeAddress } from '../../../../src/smartchain/encoding/address.ts';
import { openSmartChain, type SmartChain, type SmartChainOptions } from '../../../../src/smartchain/node.ts';
import { type ChainParams, DEFAULT_PARAMS } from '../../../../src/smartchain/params.ts';
import { atOnce } from '../../../../src/smartchain/turns.ts';
import type { WalletKey } from '../../../../src/smartchain/wallet/keyring.ts';
import { openWallet } from '../../../../src/smartchain/wallet/wallet.ts';

/** Bytes that differ from call to call and are the same in every run. */
function counting() {
  let count = 0;
  return { bytes: (length: number) => new Uint8Array(length).fill(++count) };
}

export type NodeOptions = {
  readonly params?: Partial<ChainParams>;
  readonly policy?: Partial<RelayPolicy>;
  readonly compatibility?: SmartChainCompatibility;
  readonly notarization?: boolean;
  readonly seed?: string;
  /** @defaultValue one of its own */
  readonly log?: EventLog;
};

/** A node of its own with a wallet that holds the key of a seed, on a clock that goes a second with every look. */
export async function openNode(options: NodeOptions = {}): Promise<NodeContext & { stopped: number }> {
  let time = 1_800_000_000_000;
  const { params = {}, policy = {}, notarization = false } = options;
  const chainOptions: SmartChainOptions = {
    log: options.log ?? createMemoryLog(),
    now: () => {
      time += 1000;
      return millisOf(time);
    },
    params: { maturity: 1, passiveEvals: [0xf7], ...params },
    policy,
    notarization,
  };
  const chain = await openSmartChain(chainOptions);
  const wallet = await openWallet({
    prefixes: chain.params.prefixes,
    random: counting(),
    ...(options.seed === undefined ? {} : { seed: new Secret(options.seed) }),
  });
  const context = {
    chain,
    wallet,
    compatibility: options.compatibility ?? ('specification' as const),
    tokens: true,
    stopped: 0,
    stop() {
      context.stopped += 1;
    },
  };
  return context;
}

/** Calls a method as the dispatcher does, without the count of parameters. */
export async function call(context: NodeContext, name: string, ...params: Params): Promise<unknown> {
  const method = METHODS.find((each) => each.name === name);
  if (method === undefined) throw new Error(`no method ${name}`);
  return method.run(params, context);
}

/** The answer as its reader gets it, exact numbers as doubles; the order of members is kept. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into member by member
export async function ask(context: NodeContext, name: string, ...params: Params): Promise<any> {
  return JSON.parse(await text(context, name, ...params));
}

/** The answer as it goes over the wire. */
export async function text(context: NodeContext, name: string, ...params: Params): Promise<string> {
  return atOnce(jsonSteps((await call(context, name, ...params)) ?? null));
}

/** Code and text of the error that a call ends in. */
export async function errorOf(context: NodeContext, name: string, ...params: Params): Promise<string> {
  try {
    await call(context, name, ...params);
  } catch (error) {
    if (error instanceof RpcError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'no error';
}

/** Builds a key entry of which only the public part is known; nothing can be signed with it. */
export function publicPart(publicKey: string): WalletKey {
  const bytes = hexToBytes(publicKey);
  const address = encodeAddress({ kind: 'key', hash: hash160(bytes) }, DEFAULT_PARAMS.prefixes);
  return { secretKey: new Uint8Array(32), publicKey: bytes, compressed: bytes.length === 33, address };
}

/** Lets the wallet of a context know public keys, the last of them as its own. */
export function withPublicKeys(context: NodeContext, publicKeys: readonly string[]): NodeContext {
  const keys = publicKeys.map(publicPart);
  const { ring } = context.wallet;
  for (const key of keys) ring.keys.set(bytesToHex(hash160(key.publicKey)), key);
  return { ...context, wallet: { ...context.wallet, ownKey: () => keys.at(-1) } };
}

/** A chain that is nothing but a ledger of some height, into which coins and transactions are put by hand. */
export function bareChain(height: number, params: Partial<ChainParams> = {}) {
  const all: ChainParams = { ...DEFAULT_PARAMS, passiveEvals: [0xf7], ...params };
  const ledger = emptyLedger(all);
  const grow = (to: number) => {
    while (ledger.blocks.length <= to) ledger.blocks.push(fillerBlock(ledger.blocks.length));
  };
  grow(height);
  const mempool = emptyMempool();
  const chain = {
    params: all,
    policy: DEFAULT_RELAY_POLICY,
    tree: { ledger, params: all, nodes: new Map(), tip: undefined, verified: new Set<string>() },
    mempool: () => mempool,
    sent: noneSent(),
    notarizedHeight: () => 0,
    time: () => 0,
  } as unknown as SmartChain;
  return {
    chain,
    /** Puts a coin in, as if some transaction had made it. */
    coin: (at: { txid: string; vout: number; value: bigint; script: string }) => putCoin(ledger, at),
    /** Confirms a transaction in the next block. Its inputs must be known. */
    confirm(identified: IdentifiedTransaction) {
      const at = ledger.blocks.length;
      applyTransaction(ledger, identified, { height: at, position: 1, token: moveInLedger(ledger, identified) });
      grow(at);
    },
  };
}

function fillerBlock(height: number): Block {
  return {
    hash: height.toString(16).padStart(64, '0'),
    header: { time: height },
    transactions: [],
  } as unknown as Block;
}

function putCoin(
  ledger: Ledger,
  { txid, vout, value, script }: { txid: string; vout: number; value: bigint; script: string },
): void {
  const nothing: TransactionOutput = { value: 0n, script: Uint8Array.of(0x6a) };
  const outputs = Array.from({ length: vout + 1 }, (_, index) =>
    index === vout ? { value, script: hexToBytes(script) } : nothing,
  );
  const transaction = {
    ...BITCOIN_FORM,
    inputs: [],
    outputs,
    lockTime: 0,
  };
  const place = { height: 1, position: 1, coinbase: false, token: undefined, spendable: 1 };
  const record = { txid, transaction, bytes: new Uint8Array(0), ...place, spentBy: outputs.map(() => undefined) };
  ledger.transactions.set(txid, record);
  const filed = filedOutput(record, vout);
  if (filed !== undefined) addOutput(ledger.addresses, filed);
}
