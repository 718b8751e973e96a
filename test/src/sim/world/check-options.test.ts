import { describe, expect, it } from 'vitest';
import { MemberTypeError, MemberValueError } from '../../../../src/sim/shape-check.ts';
import { crashAt, scenario } from '../../../../src/sim/world/build.ts';
import { type GenerateOptions, generateScenario } from '../../../../src/sim/world/generate.ts';
import { type Behaviour, SOUND } from '../../../../src/sim/world/node.ts';
import { type RunOptions, runScenario, type SimulateOptions, simulate } from '../../../../src/sim/world/simulate.ts';
import { createWorld, type Observer, SIMULATED_POLICY, type WorldOptions } from '../../../../src/sim/world/world.ts';

const stored = (change: (copy: Record<string, never>) => void): never => {
  const copy = JSON.parse(JSON.stringify(scenario(crashAt('taker', { at: 3, when: 'after', downFor: 60 }))));
  change(copy);
  return copy as never;
};

/** What is refused, where, and which name was meant. */
const REFUSED: readonly (readonly [string, () => unknown, place: string, meant: string | null])[] = [
  [
    'a stored scenario that names no chain',
    () => runScenario(stored((copy) => Object.assign(copy, { chainEvents: [{ ...REORG, chain: 'makr' }] }))),
    'scenario.chainEvents[0].chain',
    'maker',
  ],
  [
    'a stored scenario with a member too many',
    () => createWorld(stored((copy) => Object.assign(copy, { lockduration: 7800 }))),
    'scenario.lockduration',
    'lockDuration',
  ],
  [
    'a stored scenario without its parties',
    () => createWorld(stored((copy) => delete copy['parties'])),
    'scenario.parties',
    null,
  ],
  ['an option of a world', () => createWorld(scenario(), { observr: {} } as never), 'options.observr', 'observer'],
  [
    'an observer',
    () => createWorld(scenario(), { observer: { append: () => {} } } as never),
    'options.observer.append',
    'appended',
  ],
  [
    'a party',
    () => createWorld(scenario(), { behaviours: { takr: SOUND } } as never),
    'options.behaviours.takr',
    'taker',
  ],
  [
    'a part of an engine',
    () => runScenario(scenario(), { behaviours: { taker: { ...SOUND, decid: SOUND.decide } } } as never),
    'options.behaviours.taker.decid',
    'decide',
  ],
  [
    'a timing',
    () => runScenario(scenario(), { policy: { ...SIMULATED_POLICY, spendpol: 3 } } as never),
    'options.policy.spendpol',
    'spendPoll',
  ],
  ['what looks on', () => runScenario(scenario(), { watsh: {} } as never), 'options.watsh', 'watch'],
  ['an option of a simulation', () => simulate({ seed: 1, rums: 3 } as never), 'options.rums', 'runs'],
  ['a simulation without its count', () => simulate({ seed: 1 } as never), 'options.runs', null],
  [
    'an option of what is drawn',
    () => simulate({ seed: 1, runs: 1, generate: { adversary: false } } as never),
    'options.generate.adversary',
    'adversaries',
  ],
  ['the same, alone', () => generateScenario(1, { kind: ['utxo'] } as never), 'options.kind', 'kinds'],
  ['a kind of chain', () => generateScenario(1, { kinds: ['utox'] } as never), 'options.kinds[0]', 'utxo'],
  ['a seed that is no number', () => generateScenario('x' as never), 'seed', null],
  ['a seed that is not whole', () => generateScenario(1.5), 'seed', null],
  ['a seed that is too large', () => simulate({ seed: 2 ** 32, runs: 1 }), 'options.seed', null],
];

const REORG = { kind: 'reorg', at: 10, depth: 1, drop: false };

type Names<T> = Readonly<Record<keyof Required<T>, true>>;

// The compiler says here when an option is new: the check must know it, or nobody can use it.
const BEHAVIOUR: Names<Behaviour> = { decide: true, answer: true, beforeAppend: true, load: true, publishFirst: true };
const OBSERVER: Names<Observer> = {
  sent: true,
  appended: true,
  answered: true,
  crashed: true,
  waits: true,
  settled: true,
};
const WORLD: Names<WorldOptions> = { behaviours: true, observer: true, policy: true, conducts: true };
const RUN: Names<RunOptions> = { behaviours: true, policy: true, conducts: true, watch: true, meddles: true };
const GENERATE: Names<GenerateOptions> = { kinds: true, adversaries: true, trouble: true, excuses: true };
const SIMULATE: Names<SimulateOptions> = {
  seed: true,
  runs: true,
  generate: true,
  run: true,
  onProgress: true,
  guided: true,
};

const KNOWN: readonly (readonly [string, object, (options: never) => unknown])[] = [
  ['behaviour', BEHAVIOUR, (maker) => createWorld(scenario(), { behaviours: { maker } })],
  ['observer', OBSERVER, (observer) => createWorld(scenario(), { observer })],
  ['world', WORLD, (options) => createWorld(scenario(), options)],
  ['run', RUN, (options) => runScenario(scenario(), options)],
  ['generate', GENERATE, (options) => generateScenario(1, options)],
  ['simulate', SIMULATE, (options) => simulate(options)],
];

describe('the options of the kit', () => {
  it.each(KNOWN)('has every name that it can have: %s', (_, names, run) => {
    for (const name of Object.keys(names)) expect(() => run({ [name]: -1 } as never)).not.toThrow('has no member');
    const whole = names === BEHAVIOUR ? SOUND : {};
    for (const slip of Object.keys(names).map((name) => `${name}z`)) {
      expect(() => run({ ...whole, [slip]: -1 } as never)).toThrow(`has no member ${slip}`);
    }
  });

  it.each(REFUSED)('is refused with its place and the name that was meant: %s', (_, run, place, meant) => {
    const error = (() => {
      try {
        run();
      } catch (thrown) {
        return thrown;
      }
      return null;
    })();
    expect(error instanceof MemberTypeError || error instanceof MemberValueError).toBe(true);
    const { place: where, nearest, message } = error as MemberTypeError;
    expect([where, nearest[0] ?? null]).toEqual([place, meant]);
    expect(message).toContain(place.slice(place.lastIndexOf('.') + 1));
    if (meant !== null) expect(message).toContain(`did you mean ${meant}`);
  });

  it('may leave out what has a default, or set it to undefined', () => {
    const observer = undefined as never;
    expect(() => createWorld(scenario(), { observer })).not.toThrow();
    expect(runScenario(scenario(), { behaviours: { taker: SOUND }, policy: SIMULATED_POLICY }).violations).toEqual([]);
  });
});
