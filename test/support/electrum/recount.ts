import { createHash } from 'node:crypto';
import { isDecimalText, toBaseUnits } from '../../../src/primitives/decimal.ts';
import { numberText } from '../../../src/primitives/json.ts';

/** Asks a daemon; throws its error. */
export type Ask = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

/** What a daemon itself says of every script, worked out from its decoded JSON alone. */
export type Recount = {
  readonly scripts: readonly string[];
  /** What `get_history` should tell, without fees. */
  readonly history: (script: string) => readonly { readonly tx_hash: string; readonly height: number }[];
  readonly unspent: (script: string) => readonly Coin[];
  readonly balance: (script: string) => { readonly confirmed: number; readonly unconfirmed: number };
  readonly status: (script: string) => string | null;
  /** Fees of what waits, by id. */
  readonly fees: ReadonlyMap<string, number>;
  readonly blocks: readonly { readonly hash: string; readonly txids: readonly string[] }[];
};

type Coin = { readonly tx_hash: string; readonly tx_pos: number; readonly height: number; readonly value: number };
type Tx = {
  readonly txid: string;
  readonly vin: readonly { readonly txid?: string; readonly vout?: number }[];
  readonly vout: readonly {
    readonly n: number;
    readonly value: unknown;
    readonly scriptPubKey: { readonly hex: string };
  }[];
};
type Placed = { readonly tx: Tx; readonly height: number | null };

/** By the protocol: the SHA-256 of the script, backwards. */
export function scripthash(script: string): string {
  return createHash('sha256').update(Buffer.from(script, 'hex')).digest().reverse().toString('hex');
}

export async function recount(ask: Ask): Promise<Recount> {
  const { placed, blocks } = await allOf(ask);
  const byId = new Map(placed.map((each) => [each.tx.txid, each]));
  const outputs = placed.flatMap(({ tx, height }) =>
    tx.vout.map(({ n, value, scriptPubKey }) => ({
      txid: tx.txid,
      n,
      height,
      script: scriptPubKey.hex,
      value: units(value),
    })),
  );
  const takers = new Map<string, Placed>();
  for (const each of placed) for (const { txid, vout } of each.tx.vin) takers.set(`${txid}:${vout}`, each);
  const isBehind = ({ tx }: Placed) => tx.vin.some(({ txid }) => txid !== undefined && byId.get(txid)?.height === null);
  const ownOf = (script: string) => outputs.filter((output) => output.script === script);
  const history = (script: string) => {
    const ids = new Set(
      ownOf(script).flatMap(({ txid, n }) => [
        txid,
        ...(takers.get(`${txid}:${n}`) === undefined ? [] : [(takers.get(`${txid}:${n}`) as Placed).tx.txid]),
      ]),
    );
    const found = placed.filter(({ tx }) => ids.has(tx.txid));
    const shown = (each: Placed) => ({ tx_hash: each.tx.txid, height: each.height ?? (isBehind(each) ? -1 : 0) });
    const waiting = found.filter(({ height }) => height === null).map(shown);
    waiting.sort((left, right) => right.height - left.height || left.tx_hash.localeCompare(right.tx_hash));
    return [...found.filter(({ height }) => height !== null).map(shown), ...waiting];
  };
  const spendable = (script: string) => (script.startsWith('6a') ? [] : ownOf(script));
  return {
    scripts: [...new Set(outputs.map(({ script }) => script))],
    blocks,
    history,
    unspent: (script) =>
      spendable(script)
        .filter(({ txid, n }) => !takers.has(`${txid}:${n}`))
        .map(({ txid, n, height, value }) => ({ tx_hash: txid, tx_pos: n, height: height ?? 0, value })),
    balance(script) {
      const sum = (coins: readonly { readonly value: number }[]) =>
        coins.reduce((total, { value }) => total + value, 0);
      const own = spendable(script);
      const isSpent = (txid: string, n: number, by: (taker: Placed) => boolean) => {
        const taker = takers.get(`${txid}:${n}`);
        return taker !== undefined && by(taker);
      };
      const confirmed = sum(
        own.filter(({ txid, n, height }) => height !== null && !isSpent(txid, n, (taker) => taker.height !== null)),
      );
      return { confirmed, unconfirmed: sum(own.filter(({ txid, n }) => !isSpent(txid, n, () => true))) - confirmed };
    },
    status(script) {
      const text = history(script).map(({ tx_hash, height }) => `${tx_hash}:${height}:`);
      return text.length === 0 ? null : createHash('sha256').update(text.join('')).digest('hex');
    },
    fees: new Map(
      placed
        .filter(({ height }) => height === null)
        .map(({ tx }) => {
          const spent = tx.vin.map(({ txid = '', vout = 0 }) => units(byId.get(txid)?.tx.vout[vout]?.value));
          const paid = tx.vout.map(({ value }) => units(value));
          return [tx.txid, spent.reduce((a, b) => a + b, 0) - paid.reduce((a, b) => a + b, 0)] as const;
        }),
    ),
  };
}

async function allOf(ask: Ask) {
  const placed: Placed[] = [];
  const blocks: { hash: string; txids: string[] }[] = [];
  const tip = Number(await ask('getblockcount'));
  for (let height = 0; height <= tip; height++) {
    const hash = String(await ask('getblockhash', height));
    const { tx } = (await ask('getblock', hash, 2)) as { readonly tx: readonly Tx[] };
    blocks.push({ hash, txids: tx.map(({ txid }) => txid) });
    placed.push(...tx.map((each) => ({ tx: each, height })));
  }
  for (const txid of (await ask('getrawmempool')) as readonly string[]) {
    placed.push({ tx: (await ask('getrawtransaction', txid, 1)) as Tx, height: null });
  }
  return { placed, blocks };
}

function units(value: unknown): number {
  const text = numberText(value) ?? '';
  if (!isDecimalText(text)) throw new Error(`no amount: ${text}`);
  return Number(toBaseUnits(text));
}
