/** How much of its input a piece of code has looked at: characters of texts, and members of the values that {@link counted} made. */
export type Meter = { count: number };

type Method = (this: unknown, ...given: unknown[]) => unknown;
type Holder = Record<string, Method>;

const BY_CHARACTER = ['charCodeAt', 'codePointAt', 'charAt', 'at'];
const WHOLE = ['toLowerCase', 'toUpperCase', 'trim', 'split', 'replace', 'replaceAll', 'match', 'search', 'normalize'];
const PARTS = ['slice', 'substring', 'padStart', 'includes', 'indexOf', 'concat', 'matchAll'];

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);

/** Runs the action and counts the characters that it looks at through the methods of texts, expressions, buffers and JSON. */
export function meteredText(action: () => unknown): number {
  const meter: Meter = { count: 0 };
  const restore: (() => void)[] = [];
  const watch = (holder: object, name: string, cost: (self: unknown, given: unknown[], result: unknown) => number) => {
    const plain = (holder as Holder)[name] as Method;
    const spied: Method = function spy(...given) {
      const result = Reflect.apply(plain, this, given);
      meter.count += cost(this, given, result);
      return result;
    };
    Object.defineProperty(holder, name, { value: spied, configurable: true, writable: true });
    restore.push(() => Object.defineProperty(holder, name, { value: plain, configurable: true, writable: true }));
  };
  for (const name of BY_CHARACTER) watch(String.prototype, name, () => 1);
  for (const name of [...WHOLE, ...PARTS]) watch(String.prototype, name, (self) => lengthOf(String(self)));
  for (const name of ['test', 'exec']) watch(RegExp.prototype, name, (_, [text]) => lengthOf(text));
  for (const name of ['byteLength', 'from']) watch(Buffer, name, (_, [text]) => lengthOf(text));
  watch(Buffer.prototype, 'write', (_, [text]) => lengthOf(text));
  watch(TextEncoder.prototype, 'encode', (_, [text]) => lengthOf(text));
  watch(JSON, 'stringify', (_, __, text) => lengthOf(text));
  try {
    action();
  } finally {
    for (const undo of restore) undo();
  }
  return meter.count;
}

/** The value with every object and array in it, to any depth, counting what is read of it. */
export function counted<T>(value: T, meter: Meter): T {
  if (typeof value !== 'object' || value === null) return value;
  const note = <R>(result: R): R => {
    meter.count += 1;
    return result;
  };
  return new Proxy(value as object, {
    get: (target, name) => note(counted(Reflect.get(target, name), meter)),
    has: (target, name) => note(Reflect.has(target, name)),
    getOwnPropertyDescriptor: (target, name) => note(Reflect.getOwnPropertyDescriptor(target, name)),
    ownKeys(target) {
      const keys = Reflect.ownKeys(target);
      meter.count += keys.length;
      return keys;
    },
  }) as T;
}
