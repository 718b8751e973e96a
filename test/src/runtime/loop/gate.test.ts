import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../../../src/peers/in-process/index.ts';
import type { Answer } from '../../../../src/ports/chain.ts';
import type { Command } from '../../../../src/runtime/command.ts';
import { createRuntime, type RuntimePolicy } from '../../../../src/runtime/index.ts';
import { createChainGate } from '../../../../src/runtime/loop/gate.ts';
import {
  appendOf,
  deferred,
  GOOD,
  QUOTE,
  type Script,
  type Seen,
  scriptedChain,
  scriptedKind,
  WAIT,
} from '../../../support/scripted.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

type Open = { readonly op: string; readonly resolve: (answer: Answer<unknown>) => void };

/** Runners on two chains; the questions to DOC stay open until the test answers them. */
async function setUp(
  script: Script,
  { streams, policy }: { readonly streams: number; readonly policy: Partial<RuntimePolicy> },
) {
  const clock = virtualClock();
  const open: Open[] = [];
  const chains = {
    DOC: scriptedChain('DOC', (op) => {
      const { promise, resolve } = deferred<Answer<unknown>>();
      open.push({ op, resolve });
      return promise;
    }),
    MARTY: scriptedChain('MARTY', () => GOOD),
  };
  const network = createInProcessNetwork();
  const { kind, seen } = scriptedKind(script);
  const runtime = createRuntime({
    log: createMemoryLog(),
    clock,
    chains: [chains.DOC, chains.MARTY],
    peers: network.peer('a1'.repeat(32)),
    kinds: [kind],
    policy,
  });
  for (let index = 1; index <= streams; index++) {
    await runtime.startStream({ stream: `scripted/${index}`, events: [{ type: 'Begun', data: null }] });
  }
  await clock.advance(0);
  const answer = async (): Promise<void> => {
    open.shift()?.resolve(GOOD);
    await clock.advance(0);
  };
  const of = (index: number) => seen.get(`scripted/${index}`) as Seen;
  return { clock, chains, runtime, open, answer, of, network };
}

const PAYMENT: Command = { ...QUOTE, question: { op: 'transaction', hash: 'aa' } };
const BROADCAST: Command = {
  ...QUOTE,
  question: { op: 'broadcast', transaction: { tx_hash: 'aa', tx_hex: 'aa', spends: [], fee: '0' as never } },
};
const OTHER: Command = { ...QUOTE, leg: 'taker' };

it('limits concurrent questions to a chain, and asks all of them in the end', async () => {
  const { open, answer, of, runtime } = await setUp(
    { decide: ({ answers }) => (answers.length === 0 ? QUOTE : WAIT) },
    { streams: 10, policy: { callsPerChain: 3 } },
  );
  expect(open).toHaveLength(3);
  expect(runtime.sizes().chains['DOC']).toEqual({ asking: 3, queued: 7, abandoned: 0 });
  for (let index = 0; index < 10; index++) await answer();
  expect(open).toHaveLength(0);
  for (let index = 1; index <= 10; index++) expect(of(index).answers).toEqual([GOOD]);
  expect(runtime.sizes().chains['DOC']).toEqual({ asking: 0, queued: 0, abandoned: 0 });
});

it('a full chain blocks no other chain', async () => {
  const { of } = await setUp(
    { decide: ({ answers, stream }) => (stream === 'scripted/3' ? (answers.length < 5 ? OTHER : WAIT) : QUOTE) },
    { streams: 3, policy: { callsPerChain: 1 } },
  );
  expect(of(3).answers).toHaveLength(5);
});

it('A1: swaps that have begun go before those that begin', async () => {
  const { chains, answer, of } = await setUp(
    { decide: ({ answers }) => (answers.length === 0 ? QUOTE : answers.length < 3 ? PAYMENT : WAIT) },
    { streams: 3, policy: { callsPerChain: 1 } },
  );
  for (let index = 0; index < 9; index++) await answer();
  // The second of the first comes when the next is granted already; from then on each finishes before another begins.
  expect(chains.DOC.asked.join(' ')).toBe(
    'quote quote transaction transaction transaction transaction quote transaction transaction',
  );
  for (const index of [1, 2, 3]) expect(of(index).answers).toHaveLength(3);
});

it('a broadcast goes before looks', async () => {
  const { chains, answer } = await setUp(
    {
      decide: ({ answers, stream }) => {
        if (answers.length > 0) return WAIT;
        return stream === 'scripted/5' ? BROADCAST : QUOTE;
      },
    },
    { streams: 5, policy: { callsPerChain: 1 } },
  );
  await answer();
  expect(chains.DOC.asked).toEqual(['quote', 'broadcast']);
});

it('decides again when its turn has come: a decision from the queue is never carried out late', async () => {
  let isLate = false;
  const { chains, answer, of, clock } = await setUp(
    {
      decide: ({ answers, stream, records }) => {
        if (stream === 'scripted/1') return answers.length === 0 ? QUOTE : WAIT;
        if (isLate) return records.length === 1 ? appendOf('Failed') : WAIT;
        return BROADCAST;
      },
    },
    { streams: 2, policy: { callsPerChain: 1 } },
  );
  isLate = true;
  await answer();
  await clock.advance(0);
  expect(chains.DOC.asked).toEqual(['quote']);
  expect(of(2).records.map(({ type }) => type)).toEqual(['Begun', 'Failed']);
});

it('an unused place goes to the next', async () => {
  let isLate = false;
  const { chains, answer, runtime } = await setUp(
    {
      decide: ({ answers, stream }) => {
        if (answers.length > 0) return WAIT;
        return stream === 'scripted/2' && isLate ? WAIT : QUOTE;
      },
    },
    { streams: 3, policy: { callsPerChain: 1 } },
  );
  isLate = true;
  await answer();
  await answer();
  expect(chains.DOC.asked).toHaveLength(2);
  expect(runtime.sizes().chains['DOC']).toEqual({ asking: 0, queued: 0, abandoned: 0 });
});

it('a visitor that queues for too long is told that there was no answer', async () => {
  const { clock, of, runtime } = await setUp(
    { decide: ({ answers }) => (answers.length === 0 ? QUOTE : WAIT) },
    { streams: 3, policy: { callsPerChain: 1 } },
  );
  await clock.advance(30_000);
  const told = [1, 2, 3].map((index) => of(index).answers.map((result) => (result.ok ? '' : result.fault.message)));
  // The place of the first went to the second at that moment.
  expect(told).toEqual([['no answer of DOC within 30 s'], [], ['no free place to ask DOC within 30 s']]);
  expect(runtime.sizes().chains['DOC']?.queued).toBe(0);
});

it('A2: a chain that hangs is asked one question at a time until it answers again', async () => {
  let asked = 0;
  const { clock, open, answer, runtime } = await setUp(
    { decide: () => QUOTE },
    { streams: 6, policy: { callsPerChain: 3 } },
  );
  expect(open).toHaveLength(3);
  await clock.advance(30_000);
  for (let round = 0; round < 4; round++) {
    asked = open.length;
    await clock.advance(30_000);
    expect(open.length - asked).toBeLessThanOrEqual(1);
  }
  while (open.length > 0 && (runtime.sizes().chains['DOC']?.abandoned ?? 0) > 0) await answer();
  expect(runtime.sizes().chains['DOC']?.asking).toBe(3);
});

it('a rebuilt runner gives its place back', async () => {
  const { chains, runtime, open, clock } = await setUp(
    { decide: ({ answers }) => (answers.length === 0 ? QUOTE : WAIT) },
    { streams: 1, policy: { callsPerChain: 2 } },
  );
  runtime.addChain(chains.MARTY);
  await clock.advance(0);
  expect(runtime.sizes().chains['DOC']).toEqual({ asking: 1, queued: 0, abandoned: 1 });
  for (const { resolve } of open) resolve(GOOD);
  await clock.advance(0);
  expect(runtime.sizes().chains['DOC']).toEqual({ asking: 0, queued: 0, abandoned: 0 });
  expect(runtime.sizes().underWay).toBe(0);
});

it('a runner that fails gives its place back, used or not', async () => {
  const { chains, open, clock, network, runtime } = await setUp(
    {
      decide: ({ answers }) => (answers.length === 0 ? QUOTE : WAIT),
      receive: () => {
        throw new TypeError('a fault');
      },
    },
    { streams: 4, policy: { callsPerChain: 1 } },
  );
  const stop = (index: number) => {
    network.peer('c3'.repeat(32)).send(`swap/scripted/${index}`, { kind: 'negotiated', accepted: true });
  };
  // The first asks, the others queue; the second is stopped between the grant of its place and its turn.
  open.shift()?.resolve(GOOD);
  await Promise.resolve();
  await Promise.resolve();
  stop(2);
  await clock.advance(0);
  expect(chains.DOC.asked).toHaveLength(2);
  // The third is stopped while it asks, the fourth while it queues.
  stop(4);
  stop(3);
  await clock.advance(0);
  open.shift()?.resolve(GOOD);
  await clock.advance(0);
  expect(runtime.sizes().chains['DOC']).toEqual({ asking: 0, queued: 0, abandoned: 0 });
  expect(runtime.sizes().underWay).toBe(0);
});

type Named = { readonly name: number; mode: string; gate: unknown };

/** A gate on its own; `order` holds who was granted a place, in turn. */
function bareGate(limit: number) {
  const order: number[] = [];
  const grant = (visitor: Named) => {
    visitor.mode = 'ready';
    order.push(visitor.name);
  };
  const chain = scriptedChain('DOC', () => GOOD);
  const isQueued = (visitor: Named, at: unknown) => visitor.mode === 'queued' && visitor.gate === at;
  const gate = createChainGate<Named>({ coin: 'DOC', chain, limit, grant, isQueued });
  const visit = (name: number, first = false): Named => {
    const visitor = { name, mode: 'queued', gate };
    if (gate.enter(visitor, first)) grant(visitor);
    return visitor;
  };
  return { gate, order, visit };
}

describe('A2: abandoned questions', () => {
  it('count until as many are open as may be asked, then one is asked at a time', () => {
    const { gate, order, visit } = bareGate(2);
    for (const name of [1, 2, 3, 4, 5]) visit(name);
    gate.abandon();
    expect(order).toEqual([1, 2, 3]);
    expect(gate.sizes()).toEqual({ asking: 2, queued: 2, abandoned: 1 });
    gate.abandon();
    expect(order).toEqual([1, 2, 3]);
    expect(gate.sizes()).toEqual({ asking: 1, queued: 2, abandoned: 2 });
    visit(6);
    expect(gate.sizes()).toEqual({ asking: 1, queued: 3, abandoned: 2 });
    gate.abandon();
    expect(order).toEqual([1, 2, 3, 4]);
    expect(gate.sizes()).toEqual({ asking: 1, queued: 2, abandoned: 3 });
  });

  it('no longer count once they are answered, however late', () => {
    const { gate, order, visit } = bareGate(2);
    for (const name of [1, 2, 3, 4, 5]) visit(name);
    for (let count = 0; count < 3; count++) gate.abandon();
    expect(gate.sizes()).toEqual({ asking: 1, queued: 1, abandoned: 3 });
    gate.lateAnswer();
    expect(gate.sizes()).toEqual({ asking: 1, queued: 1, abandoned: 2 });
    gate.lateAnswer();
    expect(order).toEqual([1, 2, 3, 4, 5]);
    expect(gate.sizes()).toEqual({ asking: 2, queued: 0, abandoned: 1 });
    for (let count = 0; count < 3; count++) gate.lateAnswer();
    expect(gate.sizes()).toEqual({ asking: 2, queued: 0, abandoned: 0 });
  });

  it('count for less with every answer of the chain', () => {
    const { gate, visit } = bareGate(2);
    for (const name of [1, 2, 3]) visit(name);
    for (let count = 0; count < 2; count++) gate.abandon();
    expect(gate.sizes()).toEqual({ asking: 1, queued: 0, abandoned: 2 });
    visit(4);
    expect(gate.sizes()).toEqual({ asking: 1, queued: 1, abandoned: 2 });
    gate.leave();
    expect(gate.sizes()).toEqual({ asking: 1, queued: 0, abandoned: 1 });
    for (let count = 0; count < 2; count++) {
      visit(5);
      gate.leave();
    }
    expect(gate.sizes()).toEqual({ asking: 1, queued: 0, abandoned: 0 });
  });
});

describe('the queue of a gate', () => {
  it('first serves those in the middle of something, each in turn', () => {
    const { gate, order, visit } = bareGate(1);
    for (const name of [1, 2, 3, 4, 5]) visit(name, name % 2 === 0);
    for (let count = 0; count < 5; count++) gate.leave();
    expect(order).toEqual([1, 2, 4, 3, 5]);
    expect(gate.sizes()).toEqual({ asking: 0, queued: 0, abandoned: 0 });
  });

  it('skips those who left it or wait at another gate by now', () => {
    const { gate, order, visit } = bareGate(1);
    const other = bareGate(1);
    const [, left, moved] = [1, 2, 3, 4].map((name) => visit(name)) as [Named, Named, Named];
    gate.withdraw();
    left.mode = 'waiting';
    gate.withdraw();
    moved.gate = other.gate;
    expect(gate.sizes().queued).toBe(1);
    gate.leave();
    expect(order).toEqual([1, 4]);
    expect(gate.sizes()).toEqual({ asking: 1, queued: 0, abandoned: 0 });
  });

  it('is first in, first out over thousands of visitors that come again and again', () => {
    const { gate, order, visit } = bareGate(1);
    const visitors = Array.from({ length: 1500 }, (_, name) => visit(name));
    const again = Array.from({ length: 6000 }, () => {
      const last = visitors[order.at(-1) as number] as Named;
      gate.leave();
      last.mode = 'queued';
      return gate.enter(last, false);
    });
    expect(again).not.toContain(true);
    expect(order).toEqual(Array.from({ length: 6001 }, (_, index) => index % 1500));
    expect(gate.sizes()).toEqual({ asking: 1, queued: 1499, abandoned: 0 });
  });

  it('loses none of a long queue that many have left', () => {
    const { gate, order, visit } = bareGate(3);
    const visitors = Array.from({ length: 5000 }, (_, name) => visit(name));
    for (const visitor of visitors) {
      if (visitor.mode !== 'queued' || visitor.name % 3 !== 0) continue;
      visitor.mode = 'waiting';
      gate.withdraw();
    }
    while (gate.sizes().asking > 0) gate.leave();
    expect(order).toEqual(visitors.map(({ name }) => name).filter((name) => name < 3 || name % 3 !== 0));
    expect(gate.sizes()).toEqual({ asking: 0, queued: 0, abandoned: 0 });
  });
});
