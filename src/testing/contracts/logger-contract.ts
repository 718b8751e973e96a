import type { LogFields, Logger } from '../../ports/logger.ts';
import type { ContractCase } from './contract-case.ts';

/** A line as the logger handed it over. */
export type LoggedLine = {
  readonly level: string;
  readonly message: string;
  /** What stands beside level and message. A logger may add members of its own. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The whole line as it went out, in which secrets are looked for. */
  readonly text: string;
};

/** A logger under test, which writes every level, and a way to read what it has handed over. */
export type LoggerUnderTest = {
  readonly logger: Logger;
  /** All lines so far, the oldest first. */
  readonly lines: () => Promise<readonly LoggedLine[]> | readonly LoggedLine[];
};

export type LoggerContractCase = ContractCase;

function expectThat(holds: boolean, claim: string): asserts holds {
  if (!holds) throw new Error(`the contract of Logger is broken: expected ${claim}`);
}

function expectEqual(actual: unknown, expected: unknown, what: string): void {
  expectThat(Object.is(actual, expected), `${String(expected)} ${what}, got ${String(actual)}`);
}

type Case = { readonly title: string; readonly check: (subject: LoggerUnderTest) => Promise<void> };

const LEVELS = ['info', 'warn', 'error'] as const satisfies readonly (keyof Logger)[];

/** Writes one line and returns it: there must be no other new one. */
async function lineOf(
  { logger, lines }: LoggerUnderTest,
  { level, message, fields }: { readonly level: keyof Logger; readonly message: string; readonly fields: LogFields },
): Promise<LoggedLine> {
  const before = (await lines()).length;
  logger[level](message, fields);
  const after = await lines();
  expectEqual(after.length - before, 1, `lines for one call of ${level}`);
  const line = after.at(-1);
  expectThat(line !== undefined, 'a line');
  return line;
}

function expectFields(line: LoggedLine, fields: LogFields): void {
  for (const [name, value] of Object.entries(fields)) expectEqual(line.fields[name], value, `in the field ${name}`);
}

/** Texts that break a line, or a format, in two. */
const HARD_TEXTS: readonly string[] = [
  '',
  'two\nlines\r\n',
  '{"level":"info"}\n{"level":"error"}',
  '100 % of %s, %d, %o and %%',
  'a "quoted" \\ text\t\u0000\u2028',
  'zażółć 交換 🪙',
];

/** Values that the port allows and that a format may have no word for. */
const HARD_FIELDS: readonly LogFields[] = [
  {},
  { missing: undefined, none: null },
  { count: Number.NaN, most: Number.POSITIVE_INFINITY, least: Number.NEGATIVE_INFINITY, zero: -0 },
  { largest: Number.MAX_VALUE, smallest: Number.MIN_VALUE },
  { half: '\ud800', long: 'no end '.repeat(20_000) },
  { '': 'no name', toString: 'a name of every object', 'a name\nof two lines': true },
  Object.freeze({ coin: 'DOC' }),
];

const SECRET = '5e'.repeat(32);
const TRANSACTION = '0100beef'.repeat(50);

/** Fields that callers and nodes have filled without care, and what of them no line may show. */
const CARELESS: readonly { readonly fields: LogFields; readonly hidden: string }[] = [
  { fields: { secret: SECRET }, hidden: SECRET },
  { fields: { secret: 'hush-hush' }, hidden: 'hush-hush' },
  { fields: { privkey: 'wif-of-a-key' }, hidden: 'wif-of-a-key' },
  { fields: { tx_hex: '0100beef' }, hidden: '0100beef' },
  { fields: { reason: `the node does not take ${SECRET}` }, hidden: SECRET },
  { fields: { reason: `0x${SECRET.toUpperCase()} is no key` }, hidden: SECRET.toUpperCase() },
  { fields: { text: `bad-txns: ${TRANSACTION}, refused` }, hidden: TRANSACTION },
];

const CASES: readonly Case[] = [
  {
    title: 'writes one line per call, at its level, with its message, in order',
    check: async ({ logger, lines }) => {
      const levels = [...LEVELS, ...LEVELS.toReversed()];
      for (const [at, level] of levels.entries()) logger[level](`line ${at}`, { at });
      const written = await lines();
      expectEqual(written.length, levels.length, 'lines');
      for (const [at, level] of levels.entries()) {
        expectEqual(written[at]?.level, level, `as the level of line ${at}`);
        expectEqual(written[at]?.message, `line ${at}`, `as the message of line ${at}`);
      }
    },
  },
  {
    title: 'writes every field with its value',
    check: async (subject) => {
      const fields = { stream: 'taker-swap/1', empty: '', tries: 3, none: 0, seconds: 0.25, ok: false, coin: null };
      const most = { largest: Number.MAX_SAFE_INTEGER, least: Number.MIN_SAFE_INTEGER, ready: true, kind: undefined };
      for (const level of LEVELS) {
        expectFields(await lineOf(subject, { level, message: 'happened', fields }), fields);
        expectFields(await lineOf(subject, { level, message: 'happened', fields: most }), most);
      }
    },
  },
  {
    title: 'keeps any text within its line and unchanged',
    check: async (subject) => {
      for (const level of LEVELS) {
        for (const text of HARD_TEXTS) {
          const line = await lineOf(subject, { level, message: text, fields: { text } });
          expectEqual(line.message, text, 'as the message');
          expectFields(line, { text });
        }
      }
    },
  },
  {
    title: 'returns nothing and does not throw, whatever the values of the fields',
    check: async ({ logger, lines }) => {
      for (const level of LEVELS) {
        for (const fields of HARD_FIELDS) {
          const before = (await lines()).length;
          const answer: unknown = logger[level]('happened', fields);
          expectEqual(answer, undefined, `as the answer of ${level}`);
          expectEqual((await lines()).length - before, 1, `lines for fields named ${Object.keys(fields)}`);
        }
      }
    },
  },
  {
    title: "leaves the caller's fields unchanged",
    check: async (subject) => {
      for (const level of LEVELS) {
        const fields = { secret: SECRET, text: `of ${SECRET}`, count: 1, kind: undefined };
        const copy = { ...fields };
        await lineOf(subject, { level, message: 'happened', fields });
        expectEqual(Object.keys(fields).join(), Object.keys(copy).join(), 'as the names of the fields');
        for (const [name, value] of Object.entries(copy))
          expectThat(Object.is(Reflect.get(fields, name), value), `the field ${name} of the caller unchanged`);
      }
    },
  },
  {
    title: 'shows no secret, no key and no transaction bytes',
    check: async (subject) => {
      for (const level of LEVELS) {
        for (const { fields, hidden } of CARELESS) {
          const { text } = await lineOf(subject, { level, message: 'refused', fields: { coin: 'DOC', ...fields } });
          expectThat(!text.includes(hidden), `no secret in a line with the fields ${Object.keys(fields)}`);
        }
      }
    },
  },
];

/**
 * What every logger must do for the runtime and for who reads it. Each case gets a logger of its own.
 *
 * @example
 * ```ts
 * import { pinoLogger } from 'swapfold/runtime/pino';
 * import { loggerContract } from 'swapfold/testing';
 *
 * const open = () => {
 *   const written: string[] = [];
 *   const logger = pinoLogger({ destination: { write: (text: string) => void written.push(text) } });
 *   const lines = () =>
 *     written.map((text) => {
 *       const { level, msg, ...fields } = JSON.parse(text);
 *       return { level: String(level), message: String(msg), fields, text };
 *     });
 *   return { logger, lines };
 * };
 * const broken: string[] = [];
 * for (const { title, run } of loggerContract(open)) await run().catch(() => broken.push(title));
 * broken; // → []
 * ```
 */
export function loggerContract(open: () => LoggerUnderTest): readonly LoggerContractCase[] {
  return CASES.map(({ title, check }) => ({ title, run: async () => check(open()) }));
}
