import { describe, expect, it } from 'vitest';
import type { PaymentView } from '../../src/ports/chain.ts';
import {
  conductOf,
  crashAt,
  faultyNetwork,
  faultyNode,
  lyingNode,
  reorgAt,
  type ScenarioChange,
  scenario,
} from '../../src/sim/world/build.ts';
import { generateScenario } from '../../src/sim/world/generate.ts';
import { type Behaviour, SOUND } from '../../src/sim/world/node.ts';
import { runScenario } from '../../src/sim/world/simulate.ts';

// What random schedules once found, in its shortest form.

const automaticRefund: ScenarioChange = ({ chains, ...rest }) => ({
  ...rest,
  chains: { ...chains, taker: { ...chains.taker, kind: 'autoRefund' } },
});

describe('a payment that was seen before any node took it, and that never counts', () => {
  it.each([20, 21, 22])('does not keep the engine busy without end: a crash after command %i', (at) => {
    const { violations } = runScenario(
      scenario(
        automaticRefund,
        conductOf('taker', { kind: 'underpay' }),
        crashAt('taker', { at, when: 'after', downFor: 789 }),
        lyingNode('taker', { chain: 'taker', says: 'present', from: 452, until: 1240 }),
      ),
    );
    expect(violations).toEqual([]);
  });
});

describe('a taker whose nodes cannot say what a reward costs when it sends its first message, and can later', () => {
  it('has a maker that promises what the first message asked for', () => {
    const result = runScenario(generateScenario(14762));
    expect(result.scenario.chains.maker.rewards).toBe(true);
    expect(result.events).toContain('maker/MakerPaymentSent');
    expect(result.violations).toEqual([]);
  });
});

describe('a chain that counts blocks and is quicker than it should be', () => {
  it.each([96, 138, 162])(
    'ends the time for a claim before the lock, and the loss is explained so: seed %i',
    (seed) => {
      const fast: ScenarioChange = ({ chains, ...rest }) => ({
        ...rest,
        chains: { ...chains, maker: { ...chains.maker, kind: 'autoRefund', blockTime: 60 } },
      });
      const { violations, endings } = runScenario(
        scenario(
          { seed },
          fast,
          conductOf('maker', { kind: 'greedy' }),
          // It ends ten seconds before the published margin begins, by the lock of 15,600 s.
          faultyNode('taker', { chain: 'taker', kind: 'outage', from: 7000, until: 14_030 }),
        ),
      );
      expect(violations).toEqual([]);
      expect(endings.find(({ party }) => party === 'taker')).toMatchObject({ money: 'lost', broken: ['ownNode'] });
    },
  );
});

describe('a claim that a block took before the payment that it claims', () => {
  it('is not repeated, at a fee each time, until the payment is in a block again', () => {
    const { chains } = scenario();
    const slow = {
      seed: 200_153_227,
      chains: {
        maker: { ...chains.maker, blockTime: 300, finality: 3 },
        taker: { ...chains.taker, kind: 'account', blockTime: 600, finality: 2 },
      },
      lockDuration: 31_200,
      confirmations: { maker: 2, taker: 1 },
      network: { latency: [0, 0], lossPerMille: 0, duplicatePerMille: 0, partitions: [] },
      horizon: 164_800,
    } as const;
    // The payment waits behind the trading fee, which the reorg has lost; the claim is of another account and does not wait.
    const prepared: string[] = [];
    const { violations } = runScenario(scenario(slow, reorgAt('taker', { at: 1817, depth: 5, drop: true })), {
      watch: {
        appended: (_, node, records) => {
          for (const { type, data } of records) {
            const { purpose } = (data ?? {}) as { readonly purpose?: string };
            if (type === 'TransactionPrepared' && purpose === 'claim') prepared.push(node.name);
          }
        },
      },
    });
    expect(violations).toEqual([]);
    expect(prepared.filter((name) => name === 'maker').length).toBeLessThan(5);
  });
});

it('a signed claim goes out again although the wallet cannot pay for a dearer one', () => {
  const { chains } = scenario();
  const small = {
    seed: 8537,
    chains: {
      maker: { ...chains.maker, kind: 'autoRefund', blockTime: 150, finality: 2, decimals: 6, feeRate: 1, pace: 1147 },
      taker: { ...chains.taker, kind: 'account', blockTime: 180, finality: 1 },
    },
    confirmations: { maker: 3, taker: 0 },
    first: 'taker',
  } as const;
  const funds = ({ parties, ...rest }: ReturnType<typeof scenario>) => ({
    ...rest,
    // One claim costs 0.065, and one that pays half as much again cannot be paid.
    parties: { ...parties, taker: { ...parties.taker, funds: { maker: '0.09', taker: null } } } as typeof parties,
  });
  const planned = scenario(
    small,
    funds,
    faultyNode('taker', { chain: 'maker', kind: 'broadcast', effect: 'refused', from: 100, until: 9000 }),
    faultyNetwork('taker', { kind: 'feeSpike', factor: 2, from: 0, until: 10 }),
  );
  const { violations, endings } = runScenario(planned);
  expect(violations).toEqual([]);
  expect(endings.map(({ money }) => money)).toEqual(['swapped', 'swapped']);
});

describe('a payment that a node made up, while no node took the real one', () => {
  /** Its node takes no payment and shows one that is not there, both until a moment; in seconds from the start. */
  const madeUp = (kind: 'account' | 'utxo', until: number) =>
    scenario(
      ({ chains, ...rest }) => ({ ...rest, chains: { ...chains, taker: { ...chains.taker, kind } } }),
      { confirmations: { maker: 2, taker: 1 } },
      faultyNode('taker', {
        chain: 'taker',
        kind: 'broadcast',
        effect: 'refused',
        purposes: ['payment'],
        from: 0,
        until,
      }),
      lyingNode('taker', { chain: 'taker', says: 'present', from: 210, until: until - 100 }),
    );

  // A taker pays until two fifths of the lock are over, which is after 3120 s.
  it.each(['account', 'utxo'] as const)('is paid as long as there is time, on a chain of kind %s', (kind) => {
    const { violations, endings } = runScenario(madeUp(kind, 2000));
    expect(violations).toEqual([]);
    expect(endings.map(({ money }) => money)).toEqual(['swapped', 'swapped']);
  });

  it.each(['account', 'utxo'] as const)('is made impossible if it is too late, on a chain of kind %s', (kind) => {
    const { violations, endings } = runScenario(madeUp(kind, 5000));
    expect(violations).toEqual([]);
    expect(endings.map(({ money }) => money)).toEqual(['refunded', 'untouched']);
  });
});

describe('a taker that waits to pay because its nodes disagree about its own chain', () => {
  it.each([530_750, 489_626_759_055])('need not look at the maker payment meanwhile: seed %i', (seed) => {
    const { violations, timeline, events } = runScenario(generateScenario(seed));
    const asked = timeline.filter(
      ({ party, text }) => party === 'taker' && text.startsWith('payment on the taker chain'),
    );
    expect(asked.length).toBeGreaterThan(5);
    expect(events).not.toContain('taker/TakerPaymentSent');
    expect(violations).toEqual([]);
  });
});

describe('a maker whose nodes all lied that its refund is due, and one of which goes on', () => {
  it('may go on to send it, which the chain refuses, until the lock has passed', () => {
    const { violations, timeline } = runScenario(generateScenario(670_242));
    const refused = timeline.filter(
      ({ party, text }) => party === 'maker' && text === 'broadcast on the maker chain: notFinal',
    );
    expect(refused.length).toBeGreaterThan(10);
    expect(violations).toEqual([]);
  });
});

describe('a taker whose claim was kept back until the maker had taken both payments, and whose own is free again', () => {
  it('ends the swap and then refunds its payment, although it has the secret', () => {
    const { violations, timeline, endings } = runScenario(generateScenario(487_826));
    const at = (text: string) => timeline.findIndex((line) => line.party === 'taker' && line.text.startsWith(text));
    expect(at('MakerPaymentSpendFailed')).toBeGreaterThan(at('TakerPaymentSpent'));
    expect(at('BroadcastAccepted (refund)')).toBeGreaterThan(at('Finished'));
    expect(endings.find(({ party }) => party === 'taker')).toMatchObject({ money: 'refunded', done: true });
    expect(violations).toEqual([]);
  });

  it('may not end it before, while the claim can still succeed', () => {
    let seen: PaymentView | null = null;
    let hasClaim = false;
    let failed = 0;
    const refund = { how: 'refund', tx: null, secret: null, confirmations: 9 } as const;
    // An engine that takes the maker payment for refunded when its nodes have not answered for an hour; its own has long been free again by then.
    const hasty: Behaviour['answer'] = (question, result) => {
      if (question.op === 'prepare' && question.request.purpose === 'claim') hasClaim = true;
      if (question.op !== 'payment' || question.query.own === true) return result;
      if (result.ok) seen = result.value as PaymentView;
      else if (hasClaim) failed += 1;
      return failed > 16 && seen !== null ? { ok: true, value: { ...seen, spend: refund } } : result;
    };
    const behaviours = { taker: { ...SOUND, answer: hasty } };
    const { violations } = runScenario(generateScenario(487_826), { behaviours });
    expect(violations).toContainEqual(
      expect.objectContaining({ rule: 'R3', text: 'Finished: the swap ends while the own payment is locked' }),
    );
  });
});
