import { nearest } from '../primitives/nearest.ts';

/** What is wrong with a member, for programs: its place, such as `scenario.parties.taker`, and the names closest to the given one. */
export type ShapeFault = { readonly place: string; readonly nearest: readonly string[] };

/**
 * A member that is unknown, missing, or of the wrong type.
 *
 * @example
 * ```ts
 * import { calmScenario, checkScenario, MemberTypeError } from 'swapfold/testing';
 *
 * const check = async () => checkScenario({ ...calmScenario(), lockduration: 7800 });
 * const fault: unknown = await check().catch((error: unknown) => error);
 * fault instanceof MemberTypeError && fault.place; // → 'scenario.lockduration'
 * fault instanceof MemberTypeError && fault.nearest; // → ['lockDuration']
 * ```
 */
export class MemberTypeError extends TypeError {
  readonly code = 'MEMBER_TYPE';
  readonly place: string;
  readonly nearest: readonly string[];

  constructor(message: string, fault: ShapeFault) {
    super(message);
    this.name = 'MemberTypeError';
    this.place = fault.place;
    this.nearest = fault.nearest;
  }
}

/**
 * A value that is out of bounds, or a name that is not allowed there.
 *
 * @example
 * ```ts
 * import { calmScenario, checkScenario, MemberValueError } from 'swapfold/testing';
 *
 * const check = async () => checkScenario(calmScenario({ lockDuration: -1 }));
 * const fault: unknown = await check().catch((error: unknown) => error);
 * fault instanceof MemberValueError && fault.place; // → 'scenario.lockDuration'
 * ```
 */
export class MemberValueError extends RangeError {
  readonly code = 'MEMBER_VALUE';
  readonly place: string;
  readonly nearest: readonly string[];

  constructor(message: string, fault: ShapeFault) {
    super(message);
    this.name = 'MemberValueError';
    this.place = fault.place;
    this.nearest = fault.nearest;
  }
}

/** Returns a valid value, and throws for any other. `at` names the member. */
export type Check = (value: unknown, at: string) => void;

function shown(value: unknown): string {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (typeof value === 'function') return 'a function';
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}

/** @throws MemberValueError that names the member, what it is, and what is allowed. */
export function refuse(at: string, value: unknown, allowed: string): never {
  throw new MemberValueError(`${at} is ${shown(value)}; allowed: ${allowed}.`, { place: at, nearest: [] });
}

/** @throws MemberTypeError as {@link refuse}. */
export function mistyped(at: string, value: unknown, allowed: string): never {
  throw new MemberTypeError(`${at} is ${shown(value)}; allowed: ${allowed}.`, { place: at, nearest: [] });
}

/** `did you mean taker? Allowed: maker, taker.`, or only what is allowed if no name is close. */
function hint(near: readonly string[], allowed: string): string {
  return near.length === 0 ? `allowed: ${allowed}.` : `did you mean ${near.join(' or ')}? Allowed: ${allowed}.`;
}

/** @throws MemberValueError unless the name is one of these; it lists the closest. */
function expectName(value: unknown, at: string, names: readonly string[]): void {
  if (names.includes(value as string)) return;
  const near = typeof value === 'string' ? nearest(value, names) : [];
  const text = `${at} is ${shown(value)}; ${hint(near, names.join(', '))}`;
  throw new MemberValueError(text, { place: at, nearest: near });
}

export function oneOf(...values: readonly string[]): Check {
  return (value, at) => expectName(value, at, values);
}

/** True or false. */
export const flag: Check = (value, at) => {
  if (value !== true && value !== false) refuse(at, value, 'true, false');
};

/** A function; what it does is not checked. */
export const called: Check = (value, at) => {
  if (typeof value !== 'function') mistyped(at, value, 'a function');
};

/** Any object: it comes from the package itself, so its members are not checked. */
export const given: Check = (value, at) => {
  if (typeof value !== 'object' || value === null) mistyped(at, value, 'an object');
};

/** A name out of so many that an error lists only the closest. */
export function nameOf(what: string, names: readonly string[]): Check {
  return (value, at) => {
    if (names.includes(value as string)) return;
    const near = typeof value === 'string' ? nearest(value, names) : [];
    throw new MemberValueError(`${at} is ${shown(value)}; ${hint(near, what)}`, { place: at, nearest: near });
  };
}

type Bounds = { readonly from?: number; readonly to?: number; readonly whole?: boolean; readonly unit?: string };

export function numberOf({ from = Number.NEGATIVE_INFINITY, to = Infinity, whole = false, unit }: Bounds): Check {
  const range = [from === Number.NEGATIVE_INFINITY ? '' : ` from ${from}`, to === Infinity ? '' : ` to ${to}`].join('');
  const allowed = `a ${whole ? 'whole ' : ''}number${range}${unit === undefined ? '' : ` (${unit})`}`;
  return (value, at) => {
    if (typeof value !== 'number') mistyped(at, value, allowed);
    const right = Number.isFinite(value) && value >= from && value <= to && (!whole || Number.isSafeInteger(value));
    if (!right) refuse(at, value, allowed);
  };
}

export function textOf(allowed: string, right: (text: string) => boolean): Check {
  return (value, at) => {
    if (typeof value !== 'string') mistyped(at, value, allowed);
    if (!right(value)) refuse(at, value, allowed);
  };
}

export function listOf(check: Check): Check {
  return (value, at) => {
    if (!Array.isArray(value)) mistyped(at, value, 'a list');
    for (const [index, item] of value.entries()) check(item, `${at}[${index}]`);
  };
}

export function orNull(check: Check): Check {
  return (value, at) => {
    if (value !== null) check(value, at);
  };
}

export type Shape = Readonly<Record<string, Check>>;

type Members = Readonly<Record<string, unknown>>;

/** An object with all of `members`, some of `optional`, and nothing else; `also` checks it as a whole. */
export function objectOf(members: Shape, optional: Shape = {}, also: (value: Members, at: string) => void = () => {}) {
  const all: Shape = { ...members, ...optional };
  const allowed = Object.keys(all).join(', ');
  return (value: unknown, at: string): void => {
    const found = membersOf(value, at, allowed);
    for (const [name, member] of Object.entries(found)) {
      const check = Object.hasOwn(all, name) ? all[name] : undefined;
      if (check === undefined) throw unknownMember(at, name, Object.keys(all));
      if (member !== undefined || Object.hasOwn(members, name)) check(member, `${at}.${name}`);
    }
    const missing = Object.keys(members).find((name) => !Object.hasOwn(found, name));
    if (missing !== undefined) {
      const text = `${at}.${missing} is missing; needed: ${Object.keys(members).join(', ')}.`;
      throw new MemberTypeError(text, { place: `${at}.${missing}`, nearest: [] });
    }
    also(found, at);
  };
}

function unknownMember(at: string, name: string, names: readonly string[]): MemberTypeError {
  const near = nearest(name, names);
  return new MemberTypeError(`${at} has no member ${name}; ${hint(near, names.join(', '))}`, {
    place: `${at}.${name}`,
    nearest: near,
  });
}

/**
 * The tester's own object, which may hold anything besides `members` and some of `optional`. A name close to one of these is refused, as a
 * misspelling.
 */
export function partsOf(members: Shape, optional: Shape = {}): Check {
  const all: Shape = { ...members, ...optional };
  const names = Object.keys(all);
  return (value, at) => {
    const found = membersOf(value, at, names.join(', '));
    for (const name of names) {
      if (found[name] !== undefined || Object.hasOwn(members, name)) all[name]?.(found[name], `${at}.${name}`);
    }
    const slip = Object.keys(found).find((name) => !names.includes(name) && nearest(name, names).length > 0);
    if (slip !== undefined) throw unknownMember(at, slip, names);
  };
}

/** An object of options, all of which may be omitted. */
export function optionsOf(members: Shape) {
  return objectOf({}, members);
}

function membersOf(value: unknown, at: string, allowed: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  return mistyped(at, value, `an object with ${allowed}`);
}

/** An object whose `kind` says what else it holds. */
export function byKind(kinds: Readonly<Record<string, (value: unknown, at: string) => void>>): Check {
  const names = Object.keys(kinds);
  return (value, at) => {
    const { kind } = membersOf(value, at, 'kind');
    expectName(kind, `${at}.kind`, names);
    kinds[kind as string]?.(value, at);
  };
}
