/** Takes a value that is as it must be, and throws for any other. `at` names the member. */
export type Check = (value: unknown, at: string) => void;

function shown(value: unknown): string {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (typeof value === 'function') return 'a function';
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}

/** @throws RangeError that names the member, what it is, and what is allowed. */
export function refuse(at: string, value: unknown, allowed: string): never {
  throw new RangeError(`${at} is ${shown(value)}; allowed: ${allowed}.`);
}

function mistyped(at: string, value: unknown, allowed: string): never {
  throw new TypeError(`${at} is ${shown(value)}; allowed: ${allowed}.`);
}

export function oneOf(...values: readonly (string | boolean)[]): Check {
  const allowed = values.map((value) => String(value)).join(', ');
  return (value, at) => {
    if (!values.includes(value as string)) refuse(at, value, allowed);
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

/** An object with all of `members`, some of `optional`, and nothing else; `also` looks at the whole of it. */
export function objectOf(members: Shape, optional: Shape = {}, also: (value: Members, at: string) => void = () => {}) {
  const all: Shape = { ...members, ...optional };
  const allowed = Object.keys(all).join(', ');
  return (value: unknown, at: string): void => {
    const found = membersOf(value, at, allowed);
    for (const [name, member] of Object.entries(found)) {
      const check = Object.hasOwn(all, name) ? all[name] : undefined;
      if (check === undefined) throw new TypeError(`${at} has no member ${name}; allowed: ${allowed}.`);
      if (member !== undefined || Object.hasOwn(members, name)) check(member, `${at}.${name}`);
    }
    const missing = Object.keys(members).find((name) => !Object.hasOwn(found, name));
    if (missing !== undefined)
      throw new TypeError(`${at}.${missing} is missing; needed: ${Object.keys(members).join(', ')}.`);
    also(found, at);
  };
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
    const check = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (check === undefined) refuse(`${at}.kind`, kind, names.join(', '));
    check(value, at);
  };
}
