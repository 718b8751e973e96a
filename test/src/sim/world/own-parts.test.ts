import { describe, expect, it } from 'vitest';
import { conductOf, scenario } from '../../../../src/sim/world/build.ts';
import type { CustomConduct } from '../../../../src/sim/world/custom-conduct.ts';
import { type Behaviour, SOUND } from '../../../../src/sim/world/node.ts';
import { type RunOptions, runScenario, simulate } from '../../../../src/sim/world/simulate.ts';

const mine = new TypeError('a slip of my own');
const slip = (): never => {
  throw mine;
};

const maker = (part: Partial<Behaviour>): RunOptions => ({ behaviours: { maker: { ...SOUND, ...part } } });
const rogue = (made: () => CustomConduct): RunOptions => ({ conducts: { mine: made } });

const PARTS: readonly (readonly [string, RunOptions])[] = [
  ['what decides', maker({ decide: slip })],
  ['what changes answers', maker({ answer: slip })],
  ['what is called before an append', maker({ beforeAppend: slip })],
  ['what looks on at appends', { watch: { appended: slip } }],
  ['what looks on at answers', { watch: { answered: slip } }],
  ['what looks on after each step', { watch: { settled: slip } }],
  ['a conduct that is made', rogue(slip)],
  ['a conduct’s commands', rogue(() => ({ command: slip }))],
  ['a conduct’s messages', rogue(() => ({ says: slip }))],
  ['a conduct’s ears', rogue(() => ({ hears: slip }))],
];

const planned = scenario(conductOf('maker', { kind: 'custom', name: 'mine' }));

describe('an error of a part that the tester brought', () => {
  it.each(PARTS)('comes out as it was thrown: %s', (_, options) => {
    const given = options.conducts === undefined ? scenario() : planned;
    expect(() => runScenario(given, options)).toThrow(mine);
    expect(mine.stack).toContain('own-parts.test');
  });

  it('also ends a simulation, with the first seed that meets it', () => {
    expect(() => simulate({ seed: 1, runs: 50, run: maker({ decide: slip }) })).toThrow(mine);
  });

  it('that is no error is reported with its value', () => {
    const decide = (): never => {
      throw 'no';
    };
    expect(() => runScenario(scenario(), maker({ decide }))).toThrow('a part of the test threw no, which is no error');
  });
});

describe('an error of an engine', () => {
  it('is a finding about the party whose engine threw, even through a part that only forwards', () => {
    for (const party of ['maker', 'taker'] as const) {
      // A runner that no engine can work on: the product throws, not the part.
      const decide: Behaviour['decide'] = (runner, now, node) =>
        SOUND.decide(node.commands < 3 ? runner : ({ ...runner, kind: null } as never), now, node);
      const { violations } = runScenario(scenario(), { behaviours: { [party]: { ...SOUND, decide } } });
      expect(violations.map(({ rule, party: whose }) => [rule, whose])).toContainEqual(['R10', party]);
    }
  });

  it('that gets an event which its state refuses is a finding about that party', () => {
    const decide: Behaviour['decide'] = (runner, now, node) =>
      node.commands === 4
        ? { kind: 'append', events: [{ type: 'TakerPaymentRefunded', data: null }] }
        : SOUND.decide(runner, now, node);
    const { violations } = runScenario(scenario(), { behaviours: { taker: { ...SOUND, decide } } });
    const text = expect.stringContaining('ILLEGAL_EVENT');
    expect(violations).toContainEqual(expect.objectContaining({ rule: 'R10', party: 'taker', text }));
  });
});
