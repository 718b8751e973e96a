import type { MachineDefinition, MachineEvent, Want } from '../../machines/definition.ts';
import { canonicalJson } from '../primitives/json.ts';
import { type Millis, millisOf } from '../primitives/time.ts';
import { allowedTypes, type CompiledMachine, compile } from '../replay/compile.ts';
import { type FoldPosition, step } from '../replay/fold.ts';

// Given some events, when one more comes, then the machine stands there, wants this, or refuses it. No clock and no test
// runner: a broken expectation throws.

/** An event without its moment gets one, a second after the event before it. */
export type SpecEvent<E extends MachineEvent> = E extends unknown ? Omit<E, 'at'> & { readonly at?: Millis } : never;

/** What must hold after the event. What is not named is not looked at. */
export type Expected<C> = {
  readonly state?: string;
  /** All that is wanted, in order: names of effects, or wants of which the given members must be equal. */
  readonly wants?: readonly (string | Partial<Want>)[];
  /** The machine does not take the event, and nothing changed. @defaultValue false */
  readonly refused?: boolean;
  /** Types that may come next, in any order. */
  readonly allowed?: readonly string[];
  /** Members of the context. */
  readonly context?: Partial<C>;
};

export type Given<C, E extends MachineEvent> = {
  /** These happened before. @throws SpecError for one that the machine refuses. */
  readonly events: (events: readonly SpecEvent<E>[]) => Given<C, E>;
  /** This happens now. */
  readonly when: (event: SpecEvent<E>) => When<C, E>;
};

export type When<C, E extends MachineEvent> = {
  /** @throws SpecError for a member that there is not, and for the first one that is otherwise. Gives the machine as it stands, to go on from there. */
  readonly then: (expected: Expected<C>) => Given<C, E>;
};

/**
 * A machine did otherwise than its specification by example says. Test runners show `expected` and `actual` side by side.
 *
 * @example
 * ```ts
 * import { makerSwap } from 'swapfold/machines';
 * import { given, SpecError } from 'swapfold/testing';
 *
 * const finished = given(makerSwap).when({ type: 'Finished', data: null });
 * const check = async () => finished.then({ state: 'finished' });
 * const fault: unknown = await check().catch((error: unknown) => error);
 * const said = fault instanceof SpecError ? fault.message.split('\n')[0] : '';
 * said; // → 'Finished was refused in state created.'
 * ```
 */
export class SpecError extends Error {
  override readonly name = 'SpecError';
  readonly expected: unknown;
  readonly actual: unknown;

  constructor(message: string, { expected, actual }: { readonly expected: unknown; readonly actual: unknown }) {
    super(`${message}\n${diff(expected, actual)}`);
    this.expected = expected;
    this.actual = actual;
  }
}

const START = millisOf(1_700_000_000_000);

type Stand<C, E extends MachineEvent> = {
  readonly machine: CompiledMachine<C, E>;
  readonly taken: readonly E[];
};

/**
 * A specification by example of a machine of this package, or of one with the same shape.
 *
 * @example
 * ```ts
 * import { makerSwap } from 'swapfold/machines';
 * import { given } from 'swapfold/testing';
 *
 * const failed = given(makerSwap)
 *   .when({ type: 'StartFailed', data: { error: 'no balance' } })
 *   .then({ state: 'startFailed', wants: ['finish'], allowed: ['Finished'] });
 * failed.when({ type: 'Finished', data: null }).then({ state: 'negotiating' }); // throws SpecError
 * ```
 */
export function given<C, E extends MachineEvent>(definition: MachineDefinition<C, E>): Given<C, E> {
  return standing({ machine: compile(definition), taken: [] });
}

function standing<C, E extends MachineEvent>({ machine, taken }: Stand<C, E>): Given<C, E> {
  return {
    events(events) {
      const all = [...taken];
      for (const event of events) all.push(dated(all, event));
      return standing({ machine, taken: all });
    },
    when: (event) => happening({ machine, taken }, dated(taken, event)),
  };
}

function dated<E extends MachineEvent>(taken: readonly E[], event: SpecEvent<E>): E {
  const last = taken.at(-1)?.at;
  const told: MachineEvent = { ...event, at: event.at ?? (last === undefined ? START : millisOf(last + 1000)) };
  return told as E;
}

function happening<C, E extends MachineEvent>({ machine, taken }: Stand<C, E>, event: E): When<C, E> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: the third word of given, when, then; a promise it is not.
    then(expected) {
      if (typeof expected !== 'object' || expected === null) {
        const actual = typeof expected;
        throw new SpecError('then() needs an expectation; a specification is not a Promise to await.', {
          expected: 'object',
          actual,
        });
      }
      checkMembers(expected);
      const before = positionAfter(machine, taken);
      const { position, refused } = pushed(machine, before, { event, seq: taken.length });
      check({ machine, position, refused, event }, expected);
      return standing({ machine, taken: refused ? taken : [...taken, event] });
    },
  };
}

function positionAfter<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  events: readonly E[],
): FoldPosition<C> {
  let position: FoldPosition<C> = { state: machine.initial, context: machine.definition.initialContext() };
  for (const [seq, event] of events.entries()) {
    const next = pushed(machine, position, { event, seq });
    if (next.refused) {
      const allowed = allowedTypes(machine, position);
      const message = `given: ${event.type} at ${seq} is illegal in state ${machine.states[position.state]}.`;
      throw new SpecError(message, { expected: allowed, actual: event.type });
    }
    position = next.position;
  }
  return position;
}

function pushed<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  before: FoldPosition<C>,
  { event, seq }: { readonly event: E; readonly seq: number },
): { readonly position: FoldPosition<C>; readonly refused: boolean } {
  const position = { ...before };
  let refused = false;
  const onRefused = () => {
    refused = true;
    return undefined;
  };
  step(machine, position, { event, seq, onRefused });
  return { position, refused };
}

const MEMBERS = ['state', 'wants', 'refused', 'allowed', 'context'];

/** What nobody looks at would be an expectation that always holds. */
function checkMembers(expected: object): void {
  const unknown = Object.keys(expected).filter((name) => !MEMBERS.includes(name));
  if (unknown.length === 0) return;
  const message = `then() has no member ${unknown.join(', ')}.`;
  throw new SpecError(message, { expected: MEMBERS, actual: unknown });
}

type Happened<C, E extends MachineEvent> = {
  readonly machine: CompiledMachine<C, E>;
  readonly position: FoldPosition<C>;
  readonly refused: boolean;
  readonly event: E;
};

function check<C, E extends MachineEvent>(
  { machine, position, refused, event }: Happened<C, E>,
  expected: Expected<C>,
) {
  const state = machine.states[position.state] as string;
  const same = (what: string, wanted: unknown, actual: unknown) => {
    if (canonical(wanted) !== canonical(actual)) {
      throw new SpecError(`${what} after ${event.type} is not as expected.`, { expected: wanted, actual });
    }
  };
  const allowed = () => [...allowedTypes(machine, position)].sort();
  if (refused !== (expected.refused ?? false)) {
    const message = refused
      ? `${event.type} was refused in state ${state}.`
      : `${event.type} was accepted and led to state ${state}.`;
    throw new SpecError(message, {
      expected: refused ? event.type : 'a refusal',
      actual: refused ? allowed() : event.type,
    });
  }
  if (expected.state !== undefined) same('The state', expected.state, state);
  if (expected.allowed !== undefined) same('The set of allowed events', [...expected.allowed].sort(), allowed());
  if (expected.wants !== undefined) {
    const { wants } = expected;
    const actual = machine.definition.wants(state, position.context);
    same(
      'The list of wants',
      wants,
      actual.map((want, index) => likeness(want, wants[index])),
    );
  }
  if (expected.context !== undefined) {
    const context = position.context as Readonly<Record<string, unknown>>;
    const strange = Object.keys(expected.context).filter((name) => !Object.hasOwn(context, name));
    if (strange.length > 0) {
      const message = `The context has no member ${strange.join(', ')}.`;
      throw new SpecError(message, { expected: Object.keys(context), actual: strange });
    }
    same('The context', expected.context, pick(context, Object.keys(expected.context)));
  }
}

/** A want in the words of what was expected of it. */
function likeness(want: Want, wanted: string | Partial<Want> | undefined): unknown {
  if (wanted === undefined || typeof wanted === 'string') return want.effect;
  return pick(want, Object.keys(wanted));
}

function pick(value: object, names: readonly string[]): Readonly<Record<string, unknown>> {
  const members = new Map<string, unknown>(Object.entries(value));
  return Object.fromEntries(names.map((name) => [name, members.get(name)]));
}

function canonical(value: unknown): string {
  return canonicalJson(JSON.parse(JSON.stringify(value ?? null, plain)));
}

/** Both values, a line each where they are short, else only the lines in which they differ. */
function diff(expected: unknown, actual: unknown): string {
  const [left, right] = [expected, actual].map((value) => JSON.stringify(value, plain, 2) ?? 'undefined') as [
    string,
    string,
  ];
  const [wanted, found] = [left.split('\n'), right.split('\n')];
  const gone = wanted.filter((line) => !found.includes(line)).map((line) => `- expected  ${line.trim()}`);
  const come = found.filter((line) => !wanted.includes(line)).map((line) => `+ found     ${line.trim()}`);
  return [...gone, ...come].join('\n');
}

/** What JSON cannot hold, in a form that it can. */
function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  return value instanceof Map || value instanceof Set ? [...value] : value;
}
