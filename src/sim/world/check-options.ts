import { DEFAULT_POLICY } from '../../runtime/policy.ts';
import {
  type Check,
  called,
  flag,
  given,
  listOf,
  numberOf,
  objectOf,
  oneOf,
  optionsOf,
  partsOf,
} from '../shape-check.ts';
import { MOST_SEED, ROOT_SEEDS } from './seeds.ts';

// An unknown option is a fault that never happens, or a tester's part that never runs: it is refused with the name that
// it probably was meant to have.

const behaviour = partsOf({
  decide: called,
  answer: called,
  beforeAppend: called,
  load: called,
  publishFirst: flag,
});

const observer = partsOf(
  {},
  {
    sent: called,
    appended: called,
    answered: called,
    crashed: called,
    waits: called,
    settled: called,
  },
);

/** Numbers and groups of numbers under the names that a policy has. */
const policy = objectOf(
  Object.fromEntries(
    Object.entries(DEFAULT_POLICY).map(([name, value]) => [
      name,
      typeof value === 'number' ? numberOf({ from: 0 }) : given,
    ]),
  ),
);

/** Programs by the name that scenarios use. */
const conducts: Check = (value, at) => {
  given(value, at);
  for (const [name, create] of Object.entries(value as object)) called(create, `${at}.${name}`);
};

const worldShape = {
  behaviours: optionsOf({ maker: behaviour, taker: behaviour }),
  observer,
  policy,
  conducts,
};

const worldOptions = optionsOf(worldShape);
const { observer: _, ...partsShape } = worldShape;
const runShape = { ...partsShape, watch: observer, meddles: flag };
const runOptions = optionsOf(runShape);

const generateShape = {
  kinds: listOf(oneOf('utxo', 'account', 'autoRefund')),
  adversaries: flag,
  trouble: numberOf({ from: 0, to: 1 }),
  excuses: flag,
};

const generateOptions = optionsOf(generateShape);
const arbitraryOptions = optionsOf({ ...generateShape, fidelity: oneOf('real', 'compact') });

const seed = numberOf({ from: 0, to: ROOT_SEEDS - 1, whole: true });
const drawnSeed = numberOf({ from: 0, to: MOST_SEED, whole: true });

const simulateOptions = objectOf(
  { seed, runs: numberOf({ from: 0, whole: true }) },
  {
    generate: generateOptions,
    run: runOptions,
    guided: flag,
    onProgress: called,
  },
);

/** @throws MemberTypeError, MemberValueError for an unknown option, or one that makes no sense. */
export function checkWorldOptions(options: object): void {
  worldOptions(options, 'options');
}

/** @throws MemberTypeError, MemberValueError as {@link checkWorldOptions}. */
export function checkRunOptions(options: object): void {
  runOptions(options, 'options');
}

/** @throws MemberTypeError, MemberValueError as {@link checkWorldOptions}. */
export function checkSimulateOptions(options: object): void {
  simulateOptions(options, 'options');
}

/** A seed is a whole number below 2^32, or names variations of one. @throws MemberTypeError, MemberValueError as {@link checkWorldOptions}. */
export function checkDrawing(from: number, options: object): void {
  drawnSeed(from, 'seed');
  generateOptions(options, 'options');
}

/** @throws MemberTypeError, MemberValueError as {@link checkWorldOptions}. */
export function checkArbitraryOptions(options: object): void {
  arbitraryOptions(options, 'options');
}
