import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OutPoint } from '../../src/htlc/transaction-encoding.ts';
import { bytesToHex } from '../../src/primitives/hex.ts';
import { chooseByPackage, type Weighed } from '../../src/smartchain/chain/packages.ts';
import { transactionIdOf } from '../../src/smartchain/transaction.ts';
import { LITECOIND, type Litecoind, startLitecoind } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';
import { beginChain, mine, OWNER_SCRIPT, ownersSpend } from './funded-chain.ts';

const SEED = Number(process.env['SWAPFOLD_SEED'] ?? 1);
const COIN_VALUE = 5_000_000_000n;
/** Base units for 1,000 bytes that the node's miner takes at least. */
const LEAST = 10_000n;
/** Of a block, of which the node keeps a part for itself. */
const MOST_WEIGHT = 28_000;
const KEPT_WEIGHT = 4000;
const ROUNDS = 12;
const EACH_ROUND = 30;

type Entry = {
  readonly vsize: unknown;
  readonly fees: { readonly base: unknown };
  readonly depends: readonly string[];
};

describeWith(LITECOIND, 'what a miner takes of what waits', () => {
  let node: Litecoind;
  const coins: (OutPoint & { readonly value: bigint })[] = [];

  beforeAll(async () => {
    node = await startLitecoind([`-blockmintxfee=0.0001`, `-blockmaxweight=${MOST_WEIGHT}`]);
    for (const coin of await beginChain(node)) coins.push({ ...coin, value: COIN_VALUE });
  });
  afterAll(() => node?.stop());

  /** Spends one or two coins, some of which may wait themselves; false where the node takes no more behind so many others. */
  async function pay({ picks, outputs, rate }: Draft): Promise<boolean> {
    const taken = new Set(picks.map((pick) => coins[Math.floor(pick * coins.length)] as (typeof coins)[number]));
    const value = [...taken].reduce((sum, coin) => sum + coin.value, 0n);
    const size = 180 * taken.size + 34 * outputs;
    const each = (value - BigInt(Math.ceil(size * rate))) / BigInt(outputs);
    const raw = ownersSpend(
      [...taken],
      Array.from({ length: outputs }, () => ({ value: each, script: OWNER_SCRIPT })),
    );
    const [answer] = await node.batch([['sendrawtransaction', bytesToHex(raw), 0]]);
    if (answer === undefined || 'error' in answer) return false;
    for (const coin of taken) coins.splice(coins.indexOf(coin), 1);
    const txid = transactionIdOf(raw);
    for (let vout = 0; vout < outputs; vout++) coins.push({ txid, vout, value: each });
    return true;
  }

  type Draft = { readonly picks: readonly number[]; readonly outputs: number; readonly rate: number };
  const unit = fc.double({ min: 0, max: 0.999_999, noNaN: true });
  const drafts = fc.array(
    fc.record({
      picks: fc.array(unit, { minLength: 1, maxLength: 2 }),
      outputs: fc.integer({ min: 1, max: 4 }),
      rate: fc.double({ min: 1.5, max: 30, noNaN: true }),
    }),
    { minLength: EACH_ROUND, maxLength: EACH_ROUND },
  );

  it('is the same on both chains: what pays together, what is left for its fee, and what finds no room', async () => {
    const seen = { lifted: 0, cheap: 0, roomless: 0 };
    for (const round of fc.sample(drafts, { numRuns: ROUNDS, seed: SEED })) {
      // Coins of the last blocks are too young; those of the first ones are not.
      for (const draft of round) await pay(draft);
      const told = Object.entries((await node.call('getrawmempool', true)) as Readonly<Record<string, Entry>>);
      const waiting = told.map(([txid, { vsize, fees, depends }]): Weighed => {
        const fee = BigInt(Math.round(Number(fees.base) * 1e8));
        return { txid, fee, size: Number(vsize), checks: 1, parents: new Set(depends) };
      });
      const room = (MOST_WEIGHT - KEPT_WEIGHT) / 4 - 1;
      const chosen = chooseByPackage(waiting, { room, checks: 1_000_000, least: LEAST });
      const [hash] = await mine(node, 1);
      const { tx } = (await node.call('getblock', hash)) as { tx: readonly string[] };
      expect([...chosen].sort()).toEqual(tx.slice(1).sort());
      for (const { txid, fee, size } of waiting) {
        const pays = fee * 1000n >= LEAST * BigInt(size);
        if (chosen.has(txid) && !pays) seen.lifted += 1;
        if (!chosen.has(txid)) seen[pays ? 'roomless' : 'cheap'] += 1;
      }
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
  });
});
