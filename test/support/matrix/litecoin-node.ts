import { toBaseUnits } from '../../../src/htlc/index.ts';
import { p2pkhScript, p2wpkhScript } from '../../../src/htlc/script.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { hash160 } from '../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import { transactionIdOf } from '../../../src/smartchain/transaction.ts';
import { beginChain, mine, OWNER_SCRIPT, ownersSpend } from '../../differential/funded-chain.ts';
import { type CoreTransaction, coreBlocks } from '../litecoin/core-blocks.ts';
import { type Litecoind, startLitecoind } from '../litecoind.ts';
import { type MatrixChain, type NodeTerms, type ToldBlock, type ToldTransaction, USUAL_TERMS } from './chain.ts';
import { OUTPUT_BOOKS } from './ledger.ts';

export type LitecoinTerms = {
  readonly segwit: boolean;
  readonly blockTime: number;
  /** Base units for 1,000 virtual bytes that wallets pay. */
  readonly txfee: number;
  readonly decimals: number;
};

const REGTEST = { pubtype: 111, p2shtype: 58, bech32_hrp: 'rltc' };
/** Reward of a first block. */
const COIN = 5_000_000_000n;
const FUNDING_FEE = 20_000n;

/** Litecoin Core behind its own RPC. */
export async function startLitecoinNode(given: LitecoinTerms): Promise<MatrixChain> {
  const node = await startLitecoind(optionsOf(USUAL_TERMS));
  const rewards = (await beginChain(node)).map((coin) => ({ ...coin, value: COIN }));
  const { segwit, blockTime, txfee, decimals } = given;
  const scriptOf = (key: Uint8Array): string =>
    bytesToHex(segwit ? p2wpkhScript(hash160(key)) : p2pkhScript(hash160(key)));
  return {
    entry: {
      ...{ mm2: 1, txversion: 2, txfee, decimals, dust: 5460, avg_blocktime: blockTime, protocol: { type: 'UTXO' } },
      ...REGTEST,
      ...(segwit ? { segwit: true, address_format: { format: 'segwit' } } : {}),
    },
    conf: confOf(node),
    url: node.access.url,
    client: { batch: (calls) => node.batch(calls) as never },
    blockTime,
    decimals,
    books: OUTPUT_BOOKS,
    replaces: true,
    height: async () => Number(await node.call('getblockcount')),
    async time() {
      const { time } = (await node.call('getblock', await node.call('getbestblockhash'))) as { time: number };
      return Number(time);
    },
    async mine(at, least) {
      await node.call('setmocktime', at);
      if (least === undefined) await mine(node, 1);
      else await mineDear(node, least);
    },
    async takeBack(blocks) {
      const height = Number(await node.call('getblockcount'));
      await node.call('invalidateblock', await node.call('getblockhash', height - blocks + 1));
    },
    restart: (at, terms = USUAL_TERMS) => node.restart([`-mocktime=${at}`, ...optionsOf(terms)]),
    async fund(key, { count, value }) {
      const script = Uint8Array.from(Buffer.from(scriptOf(key), 'hex'));
      const paid = Array.from({ length: count }, () => ({ value, script }));
      const purse = rewards.pop();
      if (purse === undefined) throw new Error('the first blocks are spent');
      const rest = purse.value - BigInt(count) * value - FUNDING_FEE;
      const raw = ownersSpend([purse], [...paid, { value: rest, script: OWNER_SCRIPT }]);
      await node.call('sendrawtransaction', bytesToHex(raw), 0);
      // Enough for another wallet like this one.
      if (rest > 2n * BigInt(count) * value) rewards.push({ txid: transactionIdOf(raw), vout: count, value: rest });
      await mine(node, 1);
    },
    scriptOf,
    blocksAbove: (height) => blocksAbove(node, height),
    async waiting() {
      const ids = (await node.call('getrawmempool')) as readonly string[];
      if (ids.length === 0) return [];
      const found = await node.batch(ids.map((id) => ['getrawtransaction', id, 1]));
      return found.flatMap((answer) => ('result' in answer ? [toldOf(answer.result as CoreTransaction)] : []));
    },
    async counted(script) {
      const answer = (await node.call('scantxoutset', 'start', [`raw(${script})`])) as { total_amount: unknown };
      return baseUnits(answer.total_amount);
    },
    stop: async () => node.stop(),
  };
}

function optionsOf({ replaces, relays }: NodeTerms): readonly string[] {
  const least = relays === null ? [] : [`-minrelaytxfee=${(relays / 100_000).toFixed(8)}`];
  return ['-persistmempool=0', `-mempoolreplacement=${replaces ? 1 : 0}`, ...least];
}

function confOf({ access }: Litecoind): string {
  const [user, password] = Buffer.from(access.authorization.slice('Basic '.length), 'base64').toString().split(':');
  return `rpcuser=${user}\nrpcpassword=${password}\nrpcport=${new URL(access.url).port}\n`;
}

type Entry = { readonly vsize: unknown };

/** Base units for each virtual byte below which the node's own miner takes nothing. */
const MINERS_LEAST = 1;

/**
 * A block of the node's own miner, to which everything seems to pay so much less that only what pays as much as this is left to be taken, by itself or
 * with what it waits for and what waits for it.
 */
async function mineDear(node: Litecoind, least: number): Promise<void> {
  const all = Object.entries((await node.call('getrawmempool', true)) as Readonly<Record<string, Entry>>);
  const less = all.map(([id, { vsize }]) => [id, Math.ceil((least - MINERS_LEAST) * Number(vsize))] as const);
  await node.batch(less.map(([id, units]) => ['prioritisetransaction', id, 0, -units]));
  await mine(node, 1);
  // What the block took has left with its delta; the rest is to be worth again what it pays.
  const left = new Set((await node.call('getrawmempool')) as readonly string[]);
  const back = less.filter(([id]) => left.has(id));
  await node.batch(back.map(([id, units]) => ['prioritisetransaction', id, 0, units]));
}

async function blocksAbove(node: Litecoind, height: number): Promise<readonly ToldBlock[]> {
  const found = await coreBlocks(node, height + 1);
  return found.map((block) => ({ ...block, transactions: block.transactions.map(toldOf) }));
}

function toldOf({ txid, vin, vout }: CoreTransaction): ToldTransaction {
  return {
    txid,
    inputs: vin.map((input) => ({
      txid: input.txid ?? '',
      vout: Number(input.vout ?? 0),
      scriptSig: input.scriptSig?.hex ?? '',
      witness: input.txinwitness ?? [],
    })),
    outputs: vout.map(({ value, scriptPubKey }) => ({ value: baseUnits(value), script: scriptPubKey.hex })),
  };
}

/** The node itself always tells eight digits. */
function baseUnits(value: unknown): bigint {
  return toBaseUnits(String(value) as DecimalText);
}
