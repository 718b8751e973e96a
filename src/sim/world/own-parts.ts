// An error belongs to whoever threw it. One of an engine is a finding about that engine; one of a part that the tester brought is the
// tester's, and comes out as it was thrown.

const ofEngine = new WeakSet<object>();
const ofTester = new WeakSet<object>();

/** Notes that an error was thrown by the product, and gives it back. */
export function engineError(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) ofEngine.add(error);
  return error;
}

/** Whether an error was thrown by a part that the tester brought. */
export function isOwnError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && ofTester.has(error);
}

/** The tester's part, with what it throws marked as the tester's. */
export function ownPart<A extends readonly unknown[], R>(part: (...given: A) => R): (...given: A) => R {
  return (...given) => {
    try {
      return part(...given);
    } catch (error) {
      throw testerError(error);
    }
  };
}

function testerError(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null) {
    return testerError(new Error(`a part of the test threw ${String(thrown)}, which is no error`, { cause: thrown }));
  }
  if (!ofEngine.has(thrown)) ofTester.add(thrown);
  return thrown;
}

/** An object of which some functions may be the tester's: the named members of it, each function marked. */
export function ownParts<T extends object>(parts: T, names: readonly (keyof T)[]): T {
  const marked = names.flatMap((name) => {
    const part = parts[name];
    if (part === undefined) return [];
    return [[name, typeof part === 'function' ? ownPart(part.bind(parts)) : part]];
  });
  return Object.fromEntries(marked) as T;
}
