import { describe, expect, it } from 'vitest';
import type { PreparedTransaction } from '../../../../src/ports/chain.ts';
import { type Drivable, reservationsOf } from '../../../../src/runtime/loop/drivable.ts';
import {
  carryOver,
  giveBack,
  giveBackAll,
  giveBackUntaken,
  noteStored,
  noteUncertain,
} from '../../../../src/runtime/loop/give-back.ts';
import type { Loop } from '../../../../src/runtime/loop/loop.ts';
import { createSlot } from '../../../../src/runtime/loop/slot.ts';
import type { Signed } from '../../../../src/runtime/swap/signed.ts';
import { GOOD, scriptedChain, scriptedKind, WAIT } from '../../../support/scripted.ts';
import { NOW, preparedOf, type TurnChanges, turnOf } from '../../../support/turns.ts';

const signed = (purpose: Signed['purpose'], tx_hash: string): Signed => {
  const tx = { ...preparedOf().tx, tx_hash } as PreparedTransaction;
  return { purpose, tx, request: { purpose, urgency: 0, replaces: null } as never };
};

/** A slot whose runner has signed these, and whose log holds the others. */
function sceneOf(given: {
  readonly unused?: Signed[];
  readonly kept?: Signed[];
  readonly logged?: ReturnType<typeof preparedOf>[];
  /** Id of a transaction that is another swap's. */
  readonly foreign?: string;
}) {
  const chains = { DOC: scriptedChain('DOC', () => GOOD), MARTY: scriptedChain('MARTY', () => GOOD) };
  const { journal } = turnOf({ journal: { prepared: { fee: given.logged ?? [] } } });
  const unused = [...(given.unused ?? [])];
  const driven = {
    coins: { maker: 'DOC', taker: 'MARTY' },
    look: () => ({ journal, legOf: (purpose: string) => (purpose === 'claim' ? 'maker' : 'taker') }),
    signed: { unused: () => unused.splice(0), kept: () => given.kept ?? [], keep: () => given.kept === undefined },
  } as unknown as Drivable;
  const slot = createSlot(1, 'taker-swap/a', scriptedKind({ decide: () => WAIT }).kind);
  Object.assign(slot, { driven });
  const gates = new Map(Object.entries(chains).map(([coin, chain]) => [coin, { chain }]));
  const holder = (hash: string) => (hash === given.foreign ? 'b' : null);
  const claims = { of: () => ({ transaction: holder, secretHash: () => null }) };
  const loop = { gates, slots: new Map(), claims, logger: { error: () => {} } } as unknown as Loop;
  return { loop, slot, chains };
}

describe('what was signed in vain', () => {
  it('goes back to the wallet of its coin, once', () => {
    const { loop, slot, chains } = sceneOf({ unused: [signed('fee', 'f0'), signed('claim', 'c0')] });
    giveBack(loop, slot);
    giveBack(loop, slot);
    expect([chains.MARTY.released, chains.DOC.released]).toEqual([['f0'], ['c0']]);
  });

  it('Y1: stays taken if the log or the runner holds the same', () => {
    const logged = preparedOf({ tx: { tx_hash: 'logged' } });
    const unused = [signed('fee', 'logged'), signed('fee', 'kept'), signed('fee', 'free')];
    const { loop, slot, chains } = sceneOf({ unused, logged: [logged], kept: [signed('payment', 'kept')] });
    giveBack(loop, slot);
    expect(chains.MARTY.released).toEqual(['free']);
  });

  it('Y2: waits after an append that may or may not be in the log', () => {
    const { loop, slot, chains } = sceneOf({ unused: [signed('fee', 'f0')] });
    noteUncertain(slot, 4);
    giveBack(loop, slot);
    noteStored(slot, 4);
    giveBack(loop, slot);
    expect(chains.MARTY.released).toEqual([]);
    noteStored(slot, 5);
    giveBack(loop, slot);
    expect(chains.MARTY.released).toEqual(['f0']);
  });

  it('Y3: is not given back if another swap has it too', () => {
    const { loop, slot, chains } = sceneOf({ unused: [signed('fee', 'f0'), signed('fee', 'f1')], foreign: 'f0' });
    giveBack(loop, slot);
    expect(chains.MARTY.released).toEqual(['f1']);
  });

  it('takes nothing from a wallet if it was for a watcher', () => {
    const { loop, slot, chains } = sceneOf({
      unused: [signed('claimPreimage', 'p0'), signed('refundPreimage', 'p1')],
    });
    giveBack(loop, slot);
    expect([chains.MARTY.released, chains.DOC.released]).toEqual([[], []]);
  });
});

describe('a rebuilt runner', () => {
  const before = { ...sceneOf({ kept: [signed('fee', 'f0')] }).slot.driven } as Drivable;

  it('takes over what the earlier one had signed, and has the wallet keep it', () => {
    const { loop, slot, chains } = sceneOf({});
    carryOver(loop, slot, before);
    expect([chains.MARTY.reserved, chains.MARTY.released]).toEqual([['f0'], []]);
  });

  it('does not after a fault that it may have caused, or if it has no use for it', () => {
    for (const [failures, kept] of [
      [1, undefined],
      [0, []],
    ] as const) {
      const { loop, slot, chains } = sceneOf(kept === undefined ? {} : { kept: [...kept] });
      const { state } = slot;
      Object.assign(slot, { state: { ...state, counts: { ...state.counts, failures } } });
      carryOver(loop, slot, before);
      expect([chains.MARTY.reserved, chains.MARTY.released]).toEqual([[], ['f0']]);
    }
  });
});

describe('a finished swap', () => {
  it('gives back only what it never logged and what no node accepted', () => {
    const logged = [
      preparedOf({ tx: { tx_hash: 'sent' }, acceptedAt: NOW }),
      preparedOf({ tx: { tx_hash: 'refused' } }),
    ];
    const { loop, slot, chains } = sceneOf({ kept: [signed('payment', 'p0')], logged });
    giveBackAll(loop, slot);
    expect(chains.MARTY.released).toEqual(['p0', 'refused']);
  });
});

describe('a swap at rest', () => {
  const refused = preparedOf({ tx: { tx_hash: 'refused' } });
  const taken = preparedOf({ tx: { tx_hash: 'taken' }, acceptedAt: NOW });
  const gone = preparedOf({ tx: { tx_hash: 'gone' }, acceptedAt: NOW, dead: true });
  const settled = (payment: 'maker' | 'taker', how: 'claimed' | 'refunded') =>
    ({ payment, how, by: 'self', tx_hash: 'e0', confirmations: 3, at: NOW }) as const;
  const reorged = { payment: 'maker', tx_hash: 'e0', confirmations: 0, before: 3, at: NOW } as const;

  const viewOf = (
    given: TurnChanges['journal'],
    { role = 'taker' as 'maker' | 'taker' | 'watcher', state = 'finished' } = {},
  ) => {
    const { journal } = turnOf({ journal: { ...given, prepared: { fee: [refused, taken, gone] } } });
    return { role, state, journal, legOf: (purpose: string) => (purpose === 'claim' ? 'maker' : 'taker') } as const;
  };
  const freed = (...given: Parameters<typeof viewOf>) => {
    const { loop, slot, chains } = sceneOf({});
    Object.assign(slot, { driven: { ...slot.driven, look: () => viewOf(...given) } });
    giveBackUntaken(loop, slot);
    return chains.MARTY.released;
  };
  const marked = (...given: Parameters<typeof viewOf>) =>
    reservationsOf(viewOf(...given) as never).map(({ tx }) => tx.tx_hash);

  it.each([
    ['completed', { settled: { maker: settled('maker', 'claimed') } }],
    ['refunded', { settled: { taker: settled('taker', 'refunded') } }],
    ['failed before it paid', {}],
    ['lost', { settled: { maker: settled('maker', 'refunded'), taker: settled('taker', 'claimed') } }],
  ] as const)('gives back what no node accepted, and a restart does not mark it: %s', (_, journal) => {
    expect(freed(journal)).toEqual(['refused']);
    expect(marked(journal)).toEqual(['taken']);
  });

  it.each([
    ['is not over', {}, { state: 'claiming' }],
    ['watches for somebody else', {}, { role: 'watcher' }],
    ['is to be recovered', { recoverSince: NOW }, {}],
    ['had its end undone', { reorged: { maker: reorged } }, {}],
    ['has its own payment open beside one that went back', { settled: { maker: settled('maker', 'refunded') } }, {}],
  ] as const)('is none that %s: it keeps everything', (_, journal, changes) => {
    expect(freed(journal, changes)).toEqual([]);
    expect(marked(journal, changes)).toEqual(['refused', 'taken']);
  });

  it('is judged by the own leg of its role', () => {
    const maker = { role: 'maker' } as const;
    expect(marked({ settled: { maker: settled('maker', 'refunded') } }, maker)).toEqual(['taken']);
    expect(marked({ settled: { taker: settled('taker', 'refunded') } }, maker)).toEqual(['refused', 'taken']);
  });

  it('Y2: gives nothing back after an append that may or may not be in the log', () => {
    const { loop, slot, chains } = sceneOf({});
    Object.assign(slot, { driven: { ...slot.driven, look: () => viewOf({}) } });
    noteUncertain(slot, 4);
    giveBackUntaken(loop, slot);
    expect(chains.MARTY.released).toEqual([]);
  });
});
