import { describe, expect, it } from 'vitest';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import { MemberTypeError, MemberValueError } from '../../../../src/sim/shape-check.ts';
import {
  clockAhead,
  conductOf,
  crashAt,
  dropMempoolAt,
  faultyNetwork,
  faultyNode,
  lyingNode,
  outage,
  reorgAt,
  scenario,
  storageFaultAt,
} from '../../../../src/sim/world/build.ts';
import { checkScenario } from '../../../../src/sim/world/check-scenario.ts';
import { generateScenario } from '../../../../src/sim/world/generate.ts';
import { calmScenario, honestParty, type Scenario } from '../../../../src/sim/world/scenario.ts';
import { simplerScenarios } from '../../../../src/sim/world/shrink.ts';
import { runScenario } from '../../../../src/sim/world/simulate.ts';

const during = { from: 100 as UnixSeconds, until: 900 as UnixSeconds };

describe('a scenario of named changes', () => {
  it('is calm without any', () => {
    expect(scenario()).toEqual(calmScenario());
  });

  it('accepts members of a scenario and changes, in order, and keeps the rest', () => {
    const made = scenario(
      { lockDuration: 31_200 },
      crashAt('taker', { at: 3, when: 'after', downFor: 60 }),
      crashAt('taker', { at: 9, when: 'before', downFor: 0 }),
      storageFaultAt('maker', { at: 4, how: 'lost' }),
      clockAhead('maker', -20),
      conductOf('maker', { kind: 'liar' }),
      outage('taker', { chain: 'maker', ...during }),
      faultyNode('taker', { chain: 'maker', kind: 'lag', blocks: 2, ...during }),
      lyingNode('maker', { chain: 'taker', says: 'absent', ...during }),
      faultyNetwork('taker', { kind: 'feeSpike', factor: 3, ...during }),
      reorgAt('maker', { at: 500, depth: 2 }),
      dropMempoolAt('taker', 600),
    );
    expect(made).toEqual({
      ...calmScenario(),
      lockDuration: 31_200,
      chains: {
        ...calmScenario().chains,
        taker: { ...calmScenario().chains.taker, faults: [{ kind: 'feeSpike', factor: 3, ...during }] },
      },
      parties: {
        maker: honestParty({
          skew: -20,
          storage: [{ at: 4, how: 'lost' }],
          conduct: { kind: 'liar' },
          nodes: { maker: [], taker: [{ kind: 'lie', says: 'absent', ...during }] },
        }),
        taker: honestParty({
          crashes: [
            { at: 3, when: 'after', downFor: 60 },
            { at: 9, when: 'before', downFor: 0 },
          ],
          nodes: {
            maker: [
              { kind: 'outage', ...during },
              { kind: 'lag', blocks: 2, ...during },
            ],
            taker: [],
          },
        }),
      },
      chainEvents: [
        { kind: 'reorg', chain: 'maker', at: 500, depth: 2, drop: false },
        { kind: 'dropMempool', chain: 'taker', at: 600 },
      ],
    });
  });

  it('an outage is on both chains unless one is named', () => {
    const { nodes } = scenario(outage('maker', during)).parties.maker;
    expect(nodes).toEqual({ maker: [{ kind: 'outage', ...during }], taker: [{ kind: 'outage', ...during }] });
  });

  it('has the effect that it names', () => {
    const run = runScenario(
      scenario(
        crashAt('taker', { at: 3, when: 'after', downFor: 60 }),
        storageFaultAt('maker', { at: 3, how: 'unanswered' }),
        reorgAt('maker', { at: 400, depth: 9 }),
        outage('taker', { chain: 'taker', from: 100, until: 400 }),
      ),
    );
    expect([...run.faults].sort()).toEqual(['crash', 'messageDelay', 'outage', 'reorg', 'storage']);
    expect(run.violations).toEqual([]);
    expect(run.endings.map(({ money, restarts }) => [money, restarts])).toEqual([
      ['swapped', 1],
      ['swapped', 1],
    ]);
  });
});

describe('an invalid scenario', () => {
  const wrong: readonly (readonly [message: string, make: () => unknown])[] = [
    [
      'scenario.parties.taker.crashes[0].when is "during"; allowed: before, after.',
      () => scenario(crashAt('taker', { at: 1, when: 'during' as never, downFor: 5 })),
    ],
    [
      'scenario.parties.taker.crashes[0].at is 0; allowed: a whole number from 1.',
      () => scenario(crashAt('taker', { at: 0, when: 'after', downFor: 5 })),
    ],
    ['scenario has no member useWatcher; did you mean useWatchers', () => scenario({ useWatcher: true } as never)],
    [
      'scenario.parties.maker.nodes.maker[0].until is 600; allowed: a moment after scenario.parties.maker.nodes.maker[0].from, which is 1800.',
      () => scenario(outage('maker', { from: 1800, until: 600 })),
    ],
    [
      'scenario.parties.maker.conduct.kind is "evil"; allowed: honest, vanish, shortLock, underpay, greedy, liar, pin, replace, rewrite, race, lastSecond, frontRun, custom.',
      () => scenario(conductOf('maker', { kind: 'evil' } as never)),
    ],
    [
      'scenario.parties.maker.conduct.after is "MakerPaymentSend"; did you mean MakerPaymentSent',
      () => scenario(conductOf('maker', { kind: 'vanish', after: 'MakerPaymentSend', backAfter: null })),
    ],
    ['party is "watcher"; allowed: maker, taker.', () => scenario(clockAhead('watcher' as never, 5))],
    [
      'chain is "DOC"; allowed: maker, taker.',
      () => scenario(faultyNode('maker', { chain: 'DOC' as never, kind: 'outage', ...during })),
    ],
    [
      'chain is "DOC"; allowed: maker, taker.',
      () => scenario(faultyNetwork('DOC' as never, { kind: 'feeSpike', factor: 2, ...during })),
    ],
    [
      'scenario.chainEvents[0].chain is "DOC"; allowed: maker, taker.',
      () => scenario(reorgAt('DOC' as never, { at: 5, depth: 1 })),
    ],
    [
      'scenario.chains.taker is missing; needed: maker, taker.',
      () => scenario({ chains: { maker: calmScenario().chains.maker } as never }),
    ],
    [
      'scenario.chains.maker.finality is missing',
      () =>
        scenario({
          chains: { ...calmScenario().chains, maker: { kind: 'utxo', coin: 'DOC', blockTime: 60 } as never },
        }),
    ],
    [
      'scenario.makerAmount is "1,5"; allowed: a decimal number above 0',
      () => scenario({ makerAmount: '1,5' as never }),
    ],
    [
      'scenario.chains.taker.decimals is 17; allowed: at most 16 on a chain of kind utxo.',
      () =>
        scenario(({ chains, ...rest }) => ({
          ...rest,
          chains: { ...chains, taker: { ...chains.taker, decimals: 17 } },
        })),
    ],
    [
      'scenario.makerAmount is "92233720368.54775808"; allowed: at most 92233720368.54775807 on a chain of kind utxo',
      () => scenario({ makerAmount: '92233720368.54775808' as never }),
    ],
    [
      'scenario.parties.maker.funds.taker is "92233720369"; allowed: at most 92233720368.54775807 on a chain of kind utxo',
      () => {
        const funds = { maker: null, taker: '92233720369' as never };
        return scenario(({ parties, ...rest }) => ({
          ...rest,
          parties: { ...parties, maker: { ...parties.maker, funds } },
        }));
      },
    ],
    ['scenario.horizon is "5"; allowed: a whole number from 1.', () => scenario({ horizon: '5' as never })],
    // Blocks for thirty years: a run of minutes, and for ever where it is longer still, which looks like one that hangs.
    [
      'scenario.horizon is 1000000000; allowed: a whole number to 60000000 (seconds): the maker chain would have more than 1000000 blocks.',
      () => scenario({ horizon: 1e9 }),
    ],
    [
      'scenario.chains.maker.feeRate is 0; allowed: a number above 0 to 1000000000000 (base units).',
      () => scenario({ chains: { ...calmScenario().chains, maker: { ...calmScenario().chains.maker, feeRate: 0 } } }),
    ],
    [
      'scenario.chains.maker.feeRate is "2"; allowed: a number above 0',
      () =>
        scenario({
          chains: { ...calmScenario().chains, maker: { ...calmScenario().chains.maker, feeRate: '2' as never } },
        }),
    ],
    [
      'scenario.parties.taker.nodes.maker[0].says is "nothing"; allowed: absent, present',
      () => scenario(lyingNode('taker', { chain: 'maker', says: 'nothing' as never, ...during })),
    ],
  ];

  it.each(wrong)('%s', (message, make) => {
    expect(make).toThrow(message);
    expect([MemberTypeError, MemberValueError]).toContain((caught(make) as Error).constructor);
  });

  it('is never drawn or simplified to, and each with a member too few or too many is invalid', () => {
    // Some of these lead a watcher to chains that had accounts, and amounts of eighteen decimals.
    for (const seed of [...Array(200).keys(), 419_859, 347_892_770_835]) {
      const drawn = generateScenario(seed);
      expect(checkScenario(JSON.parse(JSON.stringify(drawn)))).toEqual(drawn);
      for (const simpler of simplerScenarios(drawn)) checkScenario(simpler);
      for (const damaged of damages(drawn)) expect(() => checkScenario(damaged)).toThrow(/^scenario/);
    }
  });
});

it('a scenario of an earlier version is valid, with the rules of that version', () => {
  const { requiresNota: _, first: __, ...rest } = calmScenario();
  const strip = (whole: object, names: readonly string[]) =>
    Object.fromEntries(Object.entries(whole).filter(([name]) => names.includes(name)));
  const chain = ['kind', 'coin', 'blockTime', 'finality', 'faults'];
  const party = ['skew', 'crashes', 'storage', 'conduct', 'nodes'];
  const stored = {
    ...rest,
    chains: { maker: strip(rest.chains.maker, chain), taker: strip(rest.chains.taker, chain) },
    parties: { maker: strip(rest.parties.maker, party), taker: strip(rest.parties.taker, party) },
    network: strip(rest.network, ['latency', 'lossPerMille', 'duplicatePerMille']),
  };
  expect(checkScenario(stored)).toEqual(calmScenario());
  const { scenario: ran, violations } = runScenario(stored as never);
  expect([ran, violations]).toEqual([calmScenario(), []]);
});

function caught(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    return error;
  }
}

/** Members that scenarios of earlier versions lack, and that are added then. */
const ADDED: ReadonlySet<string> = new Set(['requiresNota', 'first']);

/** Without each member of the scenario itself, of its parties and its chains, and each of these with one more. */
function* damages(drawn: Scenario): Generator<unknown> {
  for (const name of Object.keys(drawn).filter((key) => !ADDED.has(key)))
    yield Object.fromEntries(Object.entries(drawn).filter(([key]) => key !== name));
  yield { ...drawn, more: 1 };
  for (const side of ['maker', 'taker'] as const) {
    const { parties, chains } = drawn;
    yield { ...drawn, parties: { ...parties, [side]: { ...parties[side], more: 1 } } };
    yield { ...drawn, chains: { ...chains, [side]: { ...chains[side], more: 1 } } };
    yield { ...drawn, parties: { ...parties, [side]: { ...parties[side], nodes: { maker: [] } } } };
  }
}
