import { expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import type { Answer, PreparedTransaction, TransactionView } from '../../../src/ports/chain.ts';
import type { NewRecord } from '../../../src/ports/event-log.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import type { UnixSeconds } from '../../../src/primitives/time.ts';
import type { RuntimeChain } from '../../../src/runtime/index.ts';
import type { SimChain } from '../../../src/sim/chains/types.ts';
import { createPair, type Pair, requestOf, UUID } from '../../support/swap-pair.ts';

// A taker claims on a chain of outputs whose nodes replace nothing, and pays on a chain of accounts. Its claim waits, and a child of it is under
// way when the process is killed. Both chains would take the child and tell of it: only one is to be asked.

type Asked = { readonly coin: string; readonly op: string; readonly hash: string };

/** What outlives the process: who was asked for which child, and which children the node of each coin has. */
type Nodes = { readonly asked: Asked[]; readonly has: Set<string> };

const good = <T>(value: T): Answer<T> => ({ ok: true, value });
const isChild = (hash: string): boolean => hash.startsWith('c41d');

function withChildren(chain: RuntimeChain, { asked, has }: Nodes): RuntimeChain {
  const { coin } = chain.traits;
  const note = (op: string, hash: string): void => void asked.push({ coin, op, hash });
  return {
    ...chain,
    traits: { ...chain.traits, children: true },
    prepare(request, forSwap) {
      if (request.purpose !== 'child') return chain.prepare(request, forSwap);
      const { tx_hash: below } = request.parent;
      const tx_hash = `c41d${isChild(below) ? '2' : '1'}${below.slice(5)}`;
      note('prepare', tx_hash);
      const made: PreparedTransaction = {
        ...{ tx_hash, tx_hex: '00', fee: '0.0001' as DecimalText },
        spends: [`${request.parent.tx_hash}:0`],
      };
      return good(made);
    },
    broadcast(tx) {
      if (!isChild(tx.tx_hash)) return chain.broadcast(tx);
      note('broadcast', tx.tx_hash);
      has.add(`${coin} ${tx.tx_hash}`);
      return good('sent' as const);
    },
    transaction(hash) {
      if (!isChild(hash)) return chain.transaction(hash);
      note('transaction', hash);
      const view: TransactionView = { status: has.has(`${coin} ${hash}`) ? 'mempool' : 'unknown', confirmations: 0 };
      return good(view);
    },
    reserve(transactions) {
      for (const { tx_hash } of transactions) if (isChild(tx_hash)) note('reserve', tx_hash);
      chain.reserve(transactions.filter(({ tx_hash }) => !isChild(tx_hash)));
    },
    release(transactions) {
      for (const { tx_hash } of transactions) if (isChild(tx_hash)) note('release', tx_hash);
      chain.release(transactions.filter(({ tx_hash }) => !isChild(tx_hash)));
    },
  };
}

type Scene = { readonly pair: Pair; readonly nodes: Nodes; readonly minutes: (count: number) => Promise<void> };

function scene(): Scene {
  const nodes: Nodes = { asked: [], has: new Set() };
  const pair = createPair({
    accounts: ['MARTY'],
    options: (side, { chains }) =>
      side === 'taker' ? { chains: chains.map((chain) => withChildren(chain, nodes)) } : {},
  });
  const doc = pair.chains.DOC.sim as SimChain;
  doc.setFaults([{ kind: 'noReplacement', from: 0 as UnixSeconds, until: 4e9 as UnixSeconds }]);
  const minutes = async (count: number): Promise<void> => {
    for (let minute = 0; minute < count; minute++) {
      await pair.clock.advance(60_000);
      doc.mine({ include: (hash) => doc.ledger.transaction(hash)?.purpose !== 'claim' });
      pair.chains.MARTY.mine();
    }
  };
  return { pair, nodes, minutes };
}

const childEvents = ({ nodes }: Pair): readonly string[] =>
  (nodes.taker.log.read(`taker-swap/${UUID}`) as readonly NewRecord[]).flatMap(({ type, data }) =>
    (data as { readonly purpose?: string } | null)?.purpose === 'claimChild' ? [type] : [],
  );

/** Runs until the taker's log holds this of a child of its claim. */
async function untilChild({ pair, minutes }: Scene, type: string): Promise<void> {
  for (const side of ['maker', 'taker'] as const) await pair.nodes[side].runtime.startSwap(requestOf(side));
  for (let left = 120; left > 0 && !childEvents(pair).includes(type); left--) await minutes(1);
  expect(childEvents(pair)).toContain(type);
}

it('a child that is under way at a restart is marked, looked for and sent again on the chain of its claim alone', async () => {
  const all = scene();
  const { pair, nodes, minutes } = all;
  await untilChild(all, 'BroadcastAccepted');
  const [{ hash } = { hash: '' }] = nodes.asked;
  pair.restart('taker');
  // The node has lost it meanwhile.
  nodes.has.clear();
  nodes.asked.length = 0;
  await pair.nodes.taker.runtime.resumeAll();
  await minutes(25);
  const ops = (coin: string) => [
    ...new Set(nodes.asked.filter((one) => one.coin === coin && one.hash === hash).map(({ op }) => op)),
  ];
  expect(ops('DOC').sort()).toEqual(['broadcast', 'reserve', 'transaction']);
  expect(nodes.asked.filter(({ coin }) => coin === 'MARTY')).toEqual([]);
  expect([...nodes.has]).toContain(`DOC ${hash}`);
});

it('one that the log holds and no node was asked to accept goes out unchanged after the restart, on the same chain', async () => {
  const all = scene();
  const { pair, nodes, minutes } = all;
  await untilChild(all, 'BroadcastAttempted');
  const stream = `taker-swap/${UUID}`;
  const { log } = pair.nodes.taker;
  // As it stood before anything was sent.
  const records = (log.read(stream) as readonly NewRecord[]).filter(({ type, data }) => {
    const { purpose = '' } = (data ?? {}) as { readonly purpose?: string };
    return purpose !== 'claimChild' || type === 'TransactionPrepared' || type === 'BroadcastAttempted';
  });
  const signed = records.findLast(({ type }) => type === 'TransactionPrepared')?.data as {
    readonly tx: { readonly tx_hash: string };
  };
  pair.nodes.taker.die();
  nodes.has.clear();
  nodes.asked.length = 0;

  const before = createMemoryLog();
  await before.append({ stream, expected: 0, records });
  Object.assign(pair.nodes.taker, { log: before });
  pair.restart('taker');
  await pair.nodes.taker.runtime.resumeAll();
  await minutes(3);
  expect(nodes.asked.map(({ coin, op, hash }) => `${coin} ${op} ${hash === signed.tx.tx_hash}`)).toEqual(
    expect.arrayContaining(['DOC reserve true', 'DOC broadcast true']),
  );
  expect(nodes.asked.filter(({ coin, op }) => coin === 'MARTY' || op === 'prepare')).toEqual([]);
});
