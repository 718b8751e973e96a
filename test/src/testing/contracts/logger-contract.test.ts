import { describe, expect, it } from 'vitest';
import type { LogFields, Logger } from '../../../../src/ports/logger.ts';
import { cleanFields } from '../../../../src/runtime/host/clean-fields.ts';
import { pinoLogger } from '../../../../src/runtime/host/logger-pino.ts';
import { quietLogger } from '../../../../src/runtime/host/quiet.ts';
import {
  type LoggedLine,
  type LoggerUnderTest,
  loggerContract,
} from '../../../../src/testing/contracts/logger-contract.ts';

type Write = (level: keyof Logger, message: string, fields: LogFields) => void;

function loggerOf(write: Write): Logger {
  return {
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
  };
}

/** A logger that keeps what it is told. */
function kept() {
  const lines: LoggedLine[] = [];
  const write: Write = (level, message, fields) => {
    const text = JSON.stringify({ level, message, ...fields });
    lines.push({ level, message, fields, text });
  };
  return { write, lines: () => [...lines] };
}

function quiet(): LoggerUnderTest {
  const { write, lines } = kept();
  return { logger: quietLogger(loggerOf(write)), lines };
}

/** What stands in a file, or in a pipe, that a program reads line by line. */
function readLines(written: string): LoggedLine[] {
  const texts = written.split('\n').slice(0, -1);
  return texts.map((text) => {
    const { level, msg, ...fields } = JSON.parse(text) as Record<string, unknown>;
    return { level: String(level), message: String(msg), fields, text };
  });
}

function written(wrap: (logger: Logger) => Logger = (logger) => logger): LoggerUnderTest {
  let texts = '';
  const destination = {
    write(text: string) {
      texts += text;
    },
  };
  return { logger: wrap(pinoLogger({ destination })), lines: () => readLines(texts) };
}

describe('the log of JSON lines', () => {
  it.each(loggerContract(written))('$title', async ({ run }) => {
    await run();
  });
});

describe('the log of JSON lines, as the runtime holds it', () => {
  it.each(loggerContract(() => written(quietLogger)))('$title', async ({ run }) => {
    await run();
  });
});

describe('a logger of the host that keeps its lines, as the runtime holds it', () => {
  it.each(loggerContract(quiet))('$title', async ({ run }) => {
    await run();
  });
});

const LINES = 'writes one line per call, at its level, with its message, in order';
const VALUES = 'writes every field with its value';
const TEXTS = 'keeps any text within its line and unchanged';
const QUIET = 'returns nothing and does not throw, whatever the values of the fields';
const OWNED = "leaves the caller's fields unchanged";
const HIDDEN = 'shows no secret, no key and no transaction bytes';

/** A sound logger whose lines go through a fault on their way. */
function faulty(fault: (write: Write) => Write): LoggerUnderTest {
  const { write, lines } = kept();
  const clean: Write = (level, message, fields) => write(level, message, cleanFields(fields));
  return { logger: loggerOf(fault(clean)), lines };
}

const mapped = (change: (value: LogFields[string]) => LogFields[string]) => () =>
  faulty((write) => (level, message, fields) => {
    write(level, message, Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value)])));
  });

/** A logger that writes lines of text, and those who read it, who part them again. */
function plain(): LoggerUnderTest {
  let texts = '';
  const logger = loggerOf((level, message, fields) => {
    texts += `${level}\t${message}\t${JSON.stringify(cleanFields(fields))}\n`;
  });
  const line = (text: string): LoggedLine => {
    const [level = '', message = '', fields = '{}'] = text.split('\t');
    return { level, message, fields: JSON.parse(fields) as LogFields, text };
  };
  return { logger, lines: () => texts.split('\n').slice(0, -1).map(line) };
}

/** A logger that cleans what it writes with a cleaner of its own. */
function cleaning(clean: (fields: LogFields) => LogFields): LoggerUnderTest {
  const { write, lines } = kept();
  return { logger: loggerOf((level, message, fields) => write(level, message, clean(fields))), lines };
}

function inPlace(fields: LogFields): LogFields {
  for (const [name, value] of Object.entries(cleanFields(fields)))
    if (!Object.isFrozen(fields)) Reflect.set(fields, name, value);
  return { ...fields };
}

function namedSecrets(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !/secret|privkey|tx_hex/.test(name)));
}

function longHex(fields: LogFields): LogFields {
  const text = JSON.stringify(fields).replace(/[0-9a-f]{64,}/g, '');
  return JSON.parse(text) as LogFields;
}

/** Broken loggers, each with the cases that refuse it. */
const BROKEN: Readonly<Record<string, readonly [open: () => LoggerUnderTest, refusedBy: readonly string[]]>> = {
  'writes nothing': [() => faulty(() => () => {}), [LINES, VALUES, TEXTS, QUIET, OWNED, HIDDEN]],
  'writes a line twice': [
    () =>
      faulty((write) => (...line) => {
        write(...line);
        write(...line);
      }),
    [LINES, VALUES, TEXTS, QUIET, OWNED, HIDDEN],
  ],
  'keeps errors back': [
    () =>
      faulty(
        (write) =>
          (level, ...rest) =>
            level !== 'error' && write(level, ...rest),
      ),
    [LINES, VALUES, TEXTS, QUIET, OWNED, HIDDEN],
  ],
  'writes a warning as an error': [
    () =>
      faulty(
        (write) =>
          (level, ...rest) =>
            write(level === 'warn' ? 'error' : level, ...rest),
      ),
    [LINES],
  ],
  'writes the last line first': [
    () => {
      const { write, lines } = kept();
      const logger = loggerOf((level, message, fields) => write(level, message, cleanFields(fields)));
      return { logger, lines: () => lines().toReversed() };
    },
    [LINES, VALUES, TEXTS],
  ],
  'cuts messages': [
    () => faulty((write) => (level, message, fields) => write(level, message.slice(0, 4), fields)),
    [LINES, TEXTS],
  ],
  'leaves the fields out': [() => faulty((write) => (level, message) => write(level, message, {})), [VALUES, TEXTS]],
  'writes numbers as text': [mapped((value) => (typeof value === 'number' ? `${value}` : value)), [VALUES]],
  'leaves out what is not there, and with it null': [mapped((value) => value ?? undefined), [VALUES]],
  'writes nothing for zero, false and an empty text': [mapped((value) => value || null), [VALUES, TEXTS]],
  'writes whole numbers alone': [mapped((value) => (typeof value === 'number' ? Math.trunc(value) : value)), [VALUES]],
  'parts a line at the breaks of its message': [plain, [TEXTS]],
  'reads a message as a format': [
    () => faulty((write) => (level, message, fields) => write(level, message.replaceAll('%%', '%'), fields)),
    [TEXTS],
  ],
  'trims what stands in a field': [mapped((value) => (typeof value === 'string' ? value.trim() : value)), [TEXTS]],
  'throws for a value that it has no word for': [
    mapped((value) => (typeof value === 'number' ? Number(BigInt(Math.round(value * 100))) / 100 : value)),
    [QUIET],
  ],
  'throws for a long text': [
    mapped((value) => {
      if (typeof value === 'string' && value.length > 65_536) throw new RangeError('the line is too long');
      return value;
    }),
    [QUIET],
  ],
  'answers later': [
    () =>
      faulty(
        (write) =>
          (...line) =>
            Promise.resolve(write(...line)) as never,
      ),
    [QUIET],
  ],
  'marks the fields of the caller': [
    () =>
      faulty((write) => (level, message, fields) => {
        Object.assign(fields, { level });
        write(level, message, fields);
      }),
    [QUIET, OWNED],
  ],
  'cleans the fields of the caller instead of its line': [() => cleaning(inPlace), [OWNED]],
  'shows all that it is given': [() => cleaning((fields) => ({ ...fields })), [HIDDEN]],
  'looks for secrets by their names alone': [() => cleaning(namedSecrets), [HIDDEN]],
  'looks for secrets by their form alone': [() => cleaning(longHex), [HIDDEN]],
};

async function refusals(open: () => LoggerUnderTest): Promise<string[]> {
  const failures: string[] = [];
  for (const { title, run } of loggerContract(open)) await run().catch(() => void failures.push(title));
  return failures;
}

describe('the suite', () => {
  it.each(Object.entries(BROKEN))('notices a logger that %s', async (_, [open, refusedBy]) => {
    expect(await refusals(open)).toEqual(refusedBy);
  });

  it('has only cases that each refuse some broken logger, and accepts a sound one', async () => {
    const named = new Set(Object.values(BROKEN).flatMap(([, refusedBy]) => refusedBy));
    const titles = loggerContract(quiet).map(({ title }) => title);
    expect([...named].toSorted()).toEqual(titles.toSorted());
    expect(await refusals(() => faulty((write) => write))).toEqual([]);
  });

  it('says which promise is broken', async () => {
    const [first] = loggerContract(() => faulty(() => () => {}));
    await expect(first?.run()).rejects.toThrow('the contract of Logger is broken: expected 6 lines, got 0');
  });
});
