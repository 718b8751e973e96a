import { describe, expect, it } from 'vitest';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
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
} from '../../../../src/testing/world/build.ts';
import { calmScenario, honestParty } from '../../../../src/testing/world/scenario.ts';
import { runScenario } from '../../../../src/testing/world/simulate.ts';

const during = { from: 100 as UnixSeconds, until: 900 as UnixSeconds };

describe('a scenario of named changes', () => {
  it('is calm without any', () => {
    expect(scenario()).toEqual(calmScenario());
  });

  it('takes members of a scenario and changes, in order, and keeps what was there', () => {
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

  it('an outage is of both chains unless one is named', () => {
    const { nodes } = scenario(outage('maker', during)).parties.maker;
    expect(nodes).toEqual({ maker: [{ kind: 'outage', ...during }], taker: [{ kind: 'outage', ...during }] });
  });

  it('has the effect that it names', () => {
    const run = runScenario(
      scenario(
        crashAt('taker', { at: 3, when: 'after', downFor: 60 }),
        storageFaultAt('maker', { at: 3, how: 'unanswered' }),
        reorgAt('maker', { at: 30, depth: 1 }),
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
