import { describe, expect, it } from 'vitest';
import type { BoundsChanges } from '../../../src/check/bounds.ts';
import { boundsOf } from '../../../src/check/bounds.ts';
import { type ChainState, EMPTY_CHAIN } from '../../../src/check/chain-state.ts';
import { type CheckResult, check } from '../../../src/check/check.ts';
import { mine, reorg } from '../../../src/check/mining.ts';
import { createModel } from '../../../src/check/model.ts';
import { repeatOf } from '../../../src/check/repeat.ts';
import type { Leg } from '../../../src/runtime/command.ts';
import { type SwapRunner, viewOf } from '../../../src/runtime/swap/runner.ts';
import { type Behaviour, SOUND } from '../../../src/sim/world/node.ts';

type Party = 'maker' | 'taker';

/** An engine that sees its runner changed. */
const seeing = (change: (runner: SwapRunner) => Partial<SwapRunner>): Behaviour => ({
  ...SOUND,
  decide: (runner, now, node) => {
    const view = viewOf(runner);
    return SOUND.decide({ ...runner, view, ...change(runner) } as SwapRunner, now, node);
  },
});

/** Takes the finality of one chain for that of the other. */
const wrongFinality = seeing(({ inputs }) => {
  const { maker, taker } = inputs.traits;
  const traits = {
    maker: { ...maker, finality: taker.finality },
    taker: { ...taker, finality: maker.finality },
  };
  return { inputs: { ...inputs, traits } };
});

/** Waits for as many confirmations as the other side was asked to wait for. */
const wrongConfirmations = seeing((runner) => {
  const { maker_payment_confirmations: maker = 1, taker_payment_confirmations: taker = 1 } =
    runner.journal.request ?? {};
  const view = viewOf(runner);
  return { view: { ...view, otherConfirmations: view.other === 'maker' ? taker : maker } };
});

/** Waits for one confirmation less than asked. */
const hasty = seeing((runner) => {
  const view = viewOf(runner);
  return { view: { ...view, otherConfirmations: view.otherConfirmations - 1 } };
});

const found = (bounds: BoundsChanges, party: Party, behaviour: Behaviour): CheckResult =>
  check(bounds, { behaviours: { [party]: behaviour } });
const told = ({ violations }: CheckResult) => violations.map(({ rule, party }) => `${rule} ${party}`);

const UNEQUAL: BoundsChanges = { confirmations: { maker: 2, taker: 1 }, finality: { maker: 2, taker: 3 } };
const TURNED: BoundsChanges = { confirmations: { maker: 1, taker: 2 }, finality: { maker: 3, taker: 2 } };

describe('with unequal depths on the two chains', () => {
  it('the engines of the product break no rule', () => {
    for (const bounds of [UNEQUAL, TURNED]) {
      const { violations, complete, endings, repeat } = check(bounds);
      expect([violations, complete]).toEqual([[], true]);
      expect(endings['maker/swapped']).toBeGreaterThan(0);
      expect(repeat).toBe(repeatOf(boundsOf(bounds), true));
    }
  });

  it.each([
    ['the finality of the wrong chain', 'taker', wrongFinality, TURNED, 'R4 taker'],
    ['the finality of the wrong chain', 'maker', wrongFinality, UNEQUAL, 'R4 maker'],
    ['the confirmations of the wrong payment', 'taker', wrongConfirmations, UNEQUAL, 'R4 taker'],
    ['the confirmations of the wrong payment', 'maker', wrongConfirmations, TURNED, 'R4 maker'],
    ['one confirmation too few', 'taker', hasty, UNEQUAL, 'R4 taker'],
    ['one confirmation too few', 'maker', hasty, TURNED, 'R4 maker'],
  ] as const)('an engine that uses %s is found: %s', (_, party, behaviour, bounds, rule) => {
    expect(told(found(bounds, party, behaviour))).toEqual([rule]);
  });

  it.each([
    ['finality', wrongFinality],
    ['confirmations', wrongConfirmations],
  ])('if both chains have the same %s the mistake cannot show', (_, behaviour) => {
    const equal = { confirmations: 2, finality: 2 } as const;
    for (const party of ['maker', 'taker'] as const) expect(told(found(equal, party, behaviour))).toEqual([]);
  });
});

describe('a payment that is missed', () => {
  const MISSED: BoundsChanges = { timely: false, drops: 1, finality: { maker: 3, taker: 2 } };

  it('is missed for more and more blocks, on each chain up to its finality, and the engines count them', () => {
    const seen: Record<Leg, Set<number>> = { maker: new Set(), taker: new Set() };
    const counting: Behaviour = {
      ...SOUND,
      decide: (runner, now, node) => {
        for (const leg of ['maker', 'taker'] as const) {
          const since = runner.facts.missingSince[leg];
          if (since !== null) seen[leg].add(1000 - since);
        }
        return SOUND.decide(runner, now, node);
      },
    };
    const { violations, complete } = check(MISSED, { behaviours: { maker: counting, taker: counting } });
    expect([violations, complete]).toEqual([[], true]);
    expect([...seen.maker].sort()).toEqual([0, 1, 2, 3]);
    expect([...seen.taker].sort()).toEqual([0, 1, 2]);
  });
});

describe('an abstract chain', () => {
  const model = createModel(boundsOf({ confirmations: { maker: 3, taker: 1 }, finality: { maker: 4, taker: 2 } }));
  const payment = (leg: Leg, coin: number) =>
    model.bodies.make({
      chain: leg,
      purpose: 'payment',
      owner: leg,
      spends: [`coin:${leg}:${leg}:${coin}`],
      terms: null,
      lockKey: null,
      funding: null,
      secret: null,
      urgency: 0,
    });
  const at = { now: 1_700_000_000 };

  it('goes back by several blocks, and never disconnects what somebody relies on', () => {
    const parts = model.chains.maker;
    const waiting: ChainState = { ...EMPTY_CHAIN, txs: [{ id: payment('maker', 0).id, depth: 0 }] };
    const twice = mine(parts, mine(parts, waiting, at), at);
    const back = reorg(parts, twice, 'returned');
    expect([back?.txs[0]?.depth, back?.short]).toEqual([1, 1]);
    const further = reorg(parts, back as ChainState, 'returned');
    expect([further?.txs[0]?.depth, further?.short]).toEqual([0, 2]);
    expect(mine(parts, further as ChainState, at)).toMatchObject({ short: 1, txs: [{ depth: 1 }] });
    // Three deep is what the taker waits for: from there no reorg takes it out, in however many steps.
    let relied: ChainState | null = mine(parts, twice, at);
    let steps = 0;
    for (let next = reorg(parts, relied, 'returned'); next !== null; next = reorg(parts, next, 'returned')) {
      relied = next;
      steps += 1;
    }
    expect([steps, relied.txs[0]?.depth]).toEqual([2, 1]);
  });

  it('leaves out of a block only what it is told to', () => {
    const parts = model.chains.taker;
    const [one, two] = [payment('taker', 0), payment('taker', 1)].map(({ id }) => ({ id, depth: 0 }));
    const txs = [one, two].flatMap((tx) => tx ?? []).sort((left, right) => (left.id < right.id ? -1 : 1));
    const state = { ...EMPTY_CHAIN, txs };
    const partial = mine(parts, state, { ...at, without: one?.id ?? '' });
    expect(partial.txs.find(({ id }) => id === one?.id)?.depth).toBe(0);
    expect(partial.txs.find(({ id }) => id === two?.id)?.depth).toBe(1);
  });
});

describe('the command that explores the same', () => {
  const said = (bounds: BoundsChanges, plain = true) => repeatOf(boundsOf(bounds), plain);

  it('names every bound, and is a call if no option sets one or parts are custom', () => {
    expect(said({})).toBe('swapfold check --crashes 0');
    expect(said({ ...UNEQUAL, adversary: 'maker', payments: 2, partials: 1, drops: 2 })).toBe(
      'swapfold check --drops 2 --partials 1 --adversary maker --payments 2 --maker-confirmations 2 --taker-confirmations 1 --maker-finality 2 --taker-finality 3',
    );
    expect(said({ rewards: true, chains: { maker: 'account', taker: 'utxo' }, watcher: 'engine' })).toBe(
      'swapfold check --watcher engine --rewards --maker-chain account',
    );
    expect(said({ timely: false, drops: 1 })).toBe('check({ drops: 1, timely: false })');
    const depths = said({ adversary: 'maker', finality: { maker: 3, taker: 1 } }, false);
    expect(depths).toBe("check({ adversary: 'maker', finality: { maker: 3, taker: 1 } }) with the same options");
    expect(check({}, { behaviours: { maker: SOUND } }).repeat).toBe('check({}) with the same options');
  });

  it('is refused with the name that was meant, as an option is', () => {
    expect(() => check({ crashs: 1 } as never)).toThrow('bounds has no member crashs; did you mean crashes?');
    expect(() => check({ confirmations: { makr: 1, taker: 2 } } as never)).toThrow('did you mean maker');
    expect(() => check({ adversary: 'takr' } as never)).toThrow('did you mean taker');
    expect(() => check({}, { maxState: 1 } as never)).toThrow('did you mean maxStates');
  });

  it('passes on what a custom part throws', () => {
    const slip = new TypeError('a slip of my own');
    const decide = (): never => {
      throw slip;
    };
    expect(() => check({}, { behaviours: { maker: { ...SOUND, decide } } })).toThrow(slip);
  });

  it('says when the search shows little', () => {
    const { notices: given } = check({}, { maxStates: 10 });
    expect(given[0]).toBe('the search was given up: what it did not come to may break a rule');
  });
});
