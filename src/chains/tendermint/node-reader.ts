import { base64 } from '@scure/base';
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query';
import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query';
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service';
import type { HtlcModule } from '../../htlc/tendermint-messages.ts';
import { decodeStoredHtlc, encodeHtlcQuery, htlcQueryPath } from '../../htlc/tendermint-stored.ts';
import { tendermintId } from '../../htlc/tendermint-transaction.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import { listOf, membersOf } from '../accounts/json.ts';
import { NodeRefusal } from '../accounts/node.ts';
import { accountState } from './account-kinds.ts';
import { bytesOf, countOf, hashOf, hexOf, textOf, timeOf } from './json.ts';
import type { TendermintNode } from './node.ts';
import type {
  AccountState,
  Included,
  TendermintBlock,
  TendermintLook,
  TendermintReader,
  TendermintRefusal,
} from './reader.ts';

/** The chain that a node must be of. */
export type TendermintIdentity = {
  readonly chainId: string;
  /** Null on a chain without an HTLC module. */
  readonly module: HtlcModule | null;
};

/** A reader over one node, with what it takes to ask several the same. */
export type TendermintNodeReader = TendermintReader & {
  readonly name: string;
  /** Its last block. @throws BackendSilent, also where it is of another chain or still fetches blocks */
  head(): Promise<TendermintBlock>;
  block(height: number): Promise<TendermintBlock | null>;
  /** A look at a block that the node has. */
  lookAt(head: TendermintBlock): TendermintLook;
};

/**
 * A reader over one node, which is trusted except about its chain.
 *
 * @example
 * ```ts
 * import { createTendermintNodeReader, type TendermintNode } from 'swapfold/chains/tendermint';
 * import { decimalOf, unixSecondsOf } from 'swapfold/htlc';
 * import { createCometChain, createCometNode } from 'swapfold/testing';
 *
 * const ids = { chainId: 'irishub-1', prefix: 'iaa', module: 'irismod' } as const;
 * const rules = { ...ids, feeDenom: 'uiris', gasPrice: decimalOf('0.2'), blockTime: 5 };
 * const chain = createCometChain({ ...rules, startTime: unixSecondsOf(1_700_000_000) });
 * const address = 'iaa1w508d6qejxtdg4y5r3zarvary0c5xw7k0lhtdf';
 * chain.fund(address, [{ denom: 'uiris', amount: 5_000_000n }]);
 * const comet = createCometNode(chain);
 * const request: TendermintNode['request'] = async (...call) => comet.request(...call);
 * const look = await createTendermintNodeReader({ name: 'a node', request }, ids).look();
 * [look.head.height, look.head.time]; // → [2, 1_700_000_005]
 * await look.balance({ address, denom: 'uiris' }); // → 5_000_000n
 * ```
 */
export function createTendermintNodeReader(node: TendermintNode, identity: TendermintIdentity): TendermintNodeReader {
  const asking = askingOf(node, identity);
  return {
    name: node.name,
    ...(node.news === undefined ? {} : { news: node.news }),
    head: asking.head,
    block: asking.block,
    lookAt: (head) => lookAt(asking, head),
    look: async () => lookAt(asking, await asking.head()),
    send: (hex) => send(asking, hex),
  };
}

type Asking = {
  readonly node: TendermintNode;
  readonly module: HtlcModule | null;
  head(): Promise<TendermintBlock>;
  block(height: number): Promise<TendermintBlock | null>;
  /** The application's state after a block; null if there is no such value. */
  query(path: string, data: Uint8Array, at: { readonly height: number }): Promise<Uint8Array | null>;
};

function askingOf(node: TendermintNode, { chainId, module }: TendermintIdentity): Asking {
  return {
    ...{ node, module },
    async head() {
      const { node_info: info, sync_info: sync } = membersOf(await asked(node, 'status', {}), 'a status');
      const found = textOf(membersOf(info, 'a status')['network'], 'the id of a chain');
      if (found !== chainId) throw new BackendSilent(`${node.name} is on chain ${found}, not ${chainId}`);
      const standing = membersOf(sync, 'a status');
      if (standing['catching_up'] === true) throw new BackendSilent(`${node.name} is still syncing`);
      return {
        height: countOf(standing['latest_block_height'], 'the height of a block'),
        hash: hashOf(standing['latest_block_hash'], 'the hash of a block'),
        time: timeOf(standing['latest_block_time'], 'the time of a block'),
      };
    },
    async block(height) {
      const told = await orAbsent(asked(node, 'block', { height: String(height) }));
      return told === null ? null : readBlock(told, height);
    },
    async query(path, data, { height }) {
      const params = { path, data: bytesToHex(data), height: String(height), prove: false };
      const { response } = membersOf(await asked(node, 'abci_query', params), 'an answer');
      const { code, value, log, height: at } = membersOf(response, 'an answer');
      const failed = countOf(code ?? 0, 'the code of an answer');
      if (failed === KEY_NOT_FOUND) return null;
      if (failed !== 0) throw new BackendSilent(`${node.name} refuses ${path}: ${String(log).slice(0, 200)}`);
      if (countOf(at, 'the height of an answer') !== height)
        throw new BackendSilent(`${node.name} answers as of block ${String(at)}, not ${height}`);
      return bytesOf(value, 'an answer');
    },
  };
}

/** The Cosmos SDK's code for "not found". */
const KEY_NOT_FOUND = 22;

/** An answer; a refusal does not count as one. */
async function asked(
  node: TendermintNode,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  try {
    return await node.request(method, params);
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error;
    const silent = new BackendSilent(`${node.name} refuses ${method}: ${error.message.slice(0, 200)}`);
    throw isAbsence(error) ? Object.assign(silent, { cause: 'absent' }) : silent;
  }
}

const NO_SUCH_METHOD = -32_601;

/**
 * What nodes say of a transaction that is in no block of their index, and of a block that is above their last one; behind the name of the kind of error.
 * Whatever else is not found is not the transaction: a method, a state, a way to another server.
 */
const ABSENT =
  /(?:^|: )(?:tx \([0-9a-f]{64}\) not found|height (?:\d+ )?must be less than or equal to the current blockchain height(?: \d+)?)$/i;

function isAbsence({ code, message }: NodeRefusal): boolean {
  return code !== NO_SUCH_METHOD && ABSENT.test(message);
}

/** Null where the node says that there is no such thing, as against that it does not know. */
async function orAbsent<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof BackendSilent && error.cause === 'absent') return null;
    throw error;
  }
}

function readBlock(told: unknown, height: number): TendermintBlock {
  const { block_id: id, block } = membersOf(told, 'a block');
  const header = membersOf(membersOf(block, 'a block')['header'], 'a header');
  if (countOf(header['height'], 'the height of a block') !== height)
    throw new BackendSilent(`a node answered with a different block than ${height}`);
  return {
    height,
    hash: hashOf(membersOf(id, 'a block')['hash'], 'the hash of a block'),
    time: timeOf(header['time'], 'the time of a block'),
  };
}

function lookAt(asking: Asking, head: TendermintBlock): TendermintLook {
  const { node } = asking;
  return {
    head,
    settled: true,
    account: (address, at = head.height) => accountOf(asking, { address, height: at }),
    async balance({ address, denom, unlocked = false }) {
      // Both methods have the same form of request and answer.
      const data = QueryBalanceRequest.encode({ address, denom }).finish();
      const path = unlocked ? SPENDABLE : '/cosmos.bank.v1beta1.Query/Balance';
      const answer = await asking.query(path, data, { height: head.height });
      return amountIn(answer, denom);
    },
    async payment(id) {
      const { module } = asking;
      if (module === null) return null;
      const answer = await asking.query(htlcQueryPath(module), encodeHtlcQuery(id), { height: head.height });
      if (answer === null || answer.length === 0) return null;
      const stored = decodeStoredHtlc(module, answer);
      if (stored === undefined || stored.id.toUpperCase() !== id)
        throw new BackendSilent(`${node.name} sent an invalid answer: a payment`);
      return stored;
    },
    included: (id) => includedOf(asking, id, head),
    search: ({ kind, id }) => searchOf(asking, `${kind}_htlc.id='${id}'`),
    block: asking.block,
    async contents(height) {
      const told = await asked(node, 'block', { height: String(height) });
      readBlock(told, height);
      const block = membersOf(membersOf(told, 'a block')['block'], 'a block');
      const { txs } = membersOf(block['data'], 'a block');
      return (txs === null || txs === undefined ? [] : listOf(txs, 'transactions')).map((tx) =>
        hexOf(tx, 'a transaction'),
      );
    },
    waiting: () => waitingOf(asking),
    gas: (hex) => gasOf(asking, { hex, height: head.height }),
  };
}

const SPENDABLE = '/cosmos.bank.v1beta1.Query/SpendableBalanceByDenom';

type OfAccount = { readonly address: string; readonly height: number };

async function accountOf(asking: Asking, { address, height }: OfAccount): Promise<AccountState | null> {
  const data = QueryAccountRequest.encode({ address }).finish();
  const answer = await asking.query('/cosmos.auth.v1beta1.Query/Account', data, { height });
  if (answer === null) return null;
  try {
    const { account } = QueryAccountResponse.decode(answer);
    if (account === undefined) throw new BackendSilent('a node sent an invalid answer: an account');
    return accountState(account.typeUrl, { bytes: account.value, address });
  } catch (error) {
    if (error instanceof BackendSilent) throw error;
    throw new BackendSilent('a node sent an invalid answer: an account');
  }
}

const AMOUNT = /^(?:0|[1-9][0-9]{0,77})$/;

function amountIn(answer: Uint8Array | null, denom: string): bigint {
  try {
    const { balance } = QueryBalanceResponse.decode(answer ?? new Uint8Array(0));
    if (balance === undefined) return 0n;
    if (balance.denom === denom && AMOUNT.test(balance.amount)) return BigInt(balance.amount);
  } catch {
    // An unreadable answer counts as none.
  }
  throw new BackendSilent('a node sent an invalid answer: a balance');
}

async function includedOf({ node }: Asking, id: string, head: TendermintBlock): Promise<Included | null> {
  const told = await orAbsent(asked(node, 'tx', { hash: base64.encode(hexToBytes(id)), prove: false }));
  if (told === null) return null;
  const { hash, height, tx, tx_result: result } = membersOf(told, 'a transaction');
  const bytes = bytesOf(tx, 'a transaction');
  if (hashOf(hash, 'an id') !== id || tendermintId(bytes) !== id)
    throw new BackendSilent(`${node.name} answered with a different transaction`);
  const at = countOf(height, 'the height of a transaction');
  const code = countOf(membersOf(result, 'a result')['code'] ?? 0, 'the code of a transaction');
  return at > head.height ? null : { id, height: at, code, hex: bytesToHex(bytes) };
}

const MOST_FOUND = 20;

async function searchOf({ node }: Asking, query: string): Promise<readonly string[]> {
  const params = { query, prove: false, page: '1', per_page: String(MOST_FOUND), order_by: 'asc' };
  const { txs } = membersOf(await asked(node, 'tx_search', params), 'transactions');
  // One that makes up more than it is asked for must not keep those that follow waiting.
  const found = listOf(txs ?? [], 'transactions').slice(0, MOST_FOUND);
  return found.map((one) => hashOf(membersOf(one, 'a transaction')['hash'], 'an id'));
}

const MOST_WAITING = 100;

/** Many nodes do not show their mempool. */
async function waitingOf({ node }: Asking): Promise<readonly string[]> {
  try {
    const { txs } = membersOf(await node.request('unconfirmed_txs', { limit: String(MOST_WAITING) }), 'what waits');
    const waiting = listOf(txs ?? [], 'what waits').slice(0, MOST_WAITING);
    return waiting.map((tx) => hexOf(tx, 'a transaction'));
  } catch (error) {
    if (error instanceof NodeRefusal) return [];
    throw error;
  }
}

/** On top of the mempool, so that the sequence is the next one. */
async function gasOf(
  asking: Asking,
  { hex, height }: { readonly hex: string; readonly height: number },
): Promise<bigint | null> {
  const data = SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes: hexToBytes(hex) })).finish();
  const path = '/cosmos.tx.v1beta1.Service/Simulate';
  try {
    const answer = await asking.query(path, data, { height });
    return answer === null ? null : (SimulateResponse.decode(answer).gasInfo?.gasUsed ?? null);
  } catch {
    return null;
  }
}

async function send({ node, head }: Asking, hex: string): Promise<TendermintRefusal | null> {
  await head();
  try {
    const told = await node.request('broadcast_tx_sync', { tx: base64.encode(hexToBytes(hex)) });
    const { code, codespace, log } = membersOf(told, 'an answer');
    const refused = countOf(code ?? 0, 'the code of an answer');
    return refused === 0
      ? null
      : { code: refused, codespace: String(codespace ?? ''), message: String(log ?? '').slice(0, 500) };
  } catch (error) {
    if (error instanceof NodeRefusal) return { code: null, codespace: '', message: error.message.slice(0, 500) };
    throw error;
  }
}
