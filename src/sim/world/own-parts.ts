// An error belongs to whoever threw it. One of an engine is a finding about that engine; one of a part that the tester brought is the
// tester's, and comes out as it was thrown.

const ofEngine = new WeakSet<object>();
const ofTester = new WeakSet<object>();

/** Notes that the product threw an error, and returns it. */
export function engineError(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) ofEngine.add(error);
  return error;
}

/** Whether a tester's part threw an error. */
export function isOwnError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && ofTester.has(error);
}

/** The tester's part, whose errors are marked as the tester's. */
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

/** An object whose named members may be the tester's functions, each marked. */
export function ownParts<T extends object>(parts: T, names: readonly (keyof T)[]): T {
  const marked = names.flatMap((name) => {
    const part = parts[name];
    if (part === undefined) return [];
    return [[name, typeof part === 'function' ? ownPart(part.bind(parts)) : part]];
  });
  return Object.fromEntries(marked) as T;
}
