import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_DECIMAL_LENGTH } from '../../../../src/primitives/decimal.ts';
import { PayloadScanner, type RecordPlan } from '../../../../src/replay/jsonl/payload-scanner.ts';
import type { TemplateMember } from '../../../../src/replay/jsonl/template.ts';
import { portableMemory } from '../../../../src/replay/jsonl/wasm-hex.ts';
import { loadText, scanned } from '../../../support/scan-memory.ts';

const memory = portableMemory();
const scanner = new PayloadScanner(memory);

const member = (kind: TemplateMember['kind'], changes: Partial<TemplateMember> = {}): TemplateMember => ({
  ...{ name: 'a', kind, nullable: false, optional: false, members: [] },
  ...changes,
});

/** What a record of the given members reads in a text: its values by name, or nothing where the text is not canonical. */
function read(text: string, ...members: readonly TemplateMember[]): Readonly<Record<string, unknown>> | undefined {
  const plan = scanner.plan(members) as RecordPlan;
  const { at, until } = loadText(memory, text);
  scanner.until = until;
  const end = scanner.scan(plan, at);
  if (end < 0) return undefined;
  expect(end - at).toBe(text.length);
  const record = scanner.record as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(members.map(({ name }) => [name, record[name]]));
}

/** The value of a sole member of the kind, or nothing. */
const value = (kind: TemplateMember['kind'], text: string, changes: Partial<TemplateMember> = {}) =>
  read(`{"a":${text}}`, member(kind, changes))?.['a'];

const UUID = '350c617f-58e4-4a82-8000-2b288f80af9d';

describe('a run of digits', () => {
  const digits = (text: string) => {
    const length = scanned(memory, text, (at) => scanner.digits(at));
    return length === undefined ? undefined : [length, scanner.number];
  };

  it('is a whole number without leading zeros', () => {
    expect(digits('0,')).toEqual([1, 0]);
    expect(digits('10}')).toEqual([2, 10]);
    expect(digits('9')).toEqual([1, 9]);
    for (const text of ['', '-1', '00', '01', '/', ':', 'x1']) expect(digits(text), text).toBeUndefined();
  });

  it('is read as its number, with up to 15 digits', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (number) => {
        const text = String(number);
        expect(digits(text)).toEqual(text.length > 15 ? undefined : [text.length, number]);
      }),
    );
    expect(digits('9'.repeat(15))).toEqual([15, 999_999_999_999_999]);
    expect(digits('9'.repeat(16))).toBeUndefined();
  });
});

describe('a uuid', () => {
  const uuid = (text: string) => scanned(memory, text, (at) => scanner.uuid(at));

  it('is hyphenated and in lower case', () => {
    expect(uuid(`${UUID}"`)).toBe(36);
    for (let at = 0; at < 36; at++) {
      for (const other of ['-', 'g', 'A', '0']) {
        const changed = `${UUID.slice(0, at)}${other}${UUID.slice(at + 1)}`;
        const right = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(changed);
        expect(uuid(changed), changed).toBe(right ? 36 : undefined);
      }
    }
  });

  it('is found as the value of a member', () => {
    expect(value('uuid', `"${UUID}"`)).toBe(UUID);
    expect(value('uuid', `"${UUID}0"`)).toBeUndefined();
  });
});

describe('a value', () => {
  it('that is a text is between quotation marks, in plain ASCII or short escapes', () => {
    expect(value('text', '"DOC"')).toBe('DOC');
    expect(value('text', '""')).toBe('');
    expect(value('text', '" ~"')).toBe(' ~');
    for (const short of ['\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t']) {
      expect(value('text', `"a${short}b"`)).toBe(JSON.parse(`"a${short}b"`));
    }
    expect(value('text', '"a\\n\\"b"')).toBe('a\n"b');
    for (const text of ['"\\x"', 'xDOC"', '"\\u0041"', '"\u001f"', '"\u007f"', '"é"', 'DOC', "'DOC'", '7', '"DOC']) {
      expect(value('text', text), text).toBeUndefined();
    }
  });

  it('that is hex has whole bytes in lower case', () => {
    expect(value('hex', '"00ff"')).toBe('00ff');
    expect(value('hex', '""')).toBe('');
    for (const text of ['"0ff"', '"00FF"', '"0g"', '00ff', '"00ff ']) expect(value('hex', text), text).toBeUndefined();
  });

  it('that is a hash or a key has 32 or 33 bytes, no more and no fewer', () => {
    for (const [kind, length] of [
      ['hex64', 64],
      ['hex66', 66],
    ] as const) {
      const right = 'a'.repeat(length);
      expect(value(kind, `"${right}"`)).toBe(right);
      for (const text of [right.slice(2), `${right}aa`, `g${right.slice(1)}`]) {
        expect(value(kind, `"${text}"`)).toBeUndefined();
      }
    }
  });

  it('that is an amount has digits, and at most one dot after the first', () => {
    for (const text of ['1', '0.5', '12.25', '1.', '9'.repeat(40)]) expect(value('decimal', `"${text}"`)).toBe(text);
    for (const text of ['', '.5', '1.2.3', '1e8', '-1', '1,5', ' 1', '1 ', '/', ':']) {
      expect(value('decimal', `"${text}"`), text).toBeUndefined();
    }
    expect(value('decimal', '1.5')).toBeUndefined();
    const longest = '1'.repeat(MAX_DECIMAL_LENGTH);
    expect(value('decimal', `"${longest}"`)).toBe(longest);
    expect(value('decimal', `"${longest}1"`)).toBeUndefined();
  });

  it('that is a number or a flag is bare', () => {
    expect(value('whole', '42')).toBe(42);
    expect(value('whole', '042')).toBeUndefined();
    expect(value('whole', '"42"')).toBeUndefined();
    expect(value('flag', 'true')).toBe(true);
    expect(value('flag', 'false')).toBe(false);
    for (const text of ['truth', 'fals', '"true"', '1']) expect(value('flag', text), text).toBeUndefined();
  });

  it('that is null is read if the member may be null', () => {
    for (const kind of ['text', 'hex', 'hex64', 'whole', 'flag', 'uuid', 'decimal', 'nothing', 'record'] as const) {
      expect(value(kind, 'null', { nullable: true }), kind).toBeNull();
      expect(value(kind, 'null'), kind).toBeUndefined();
      expect(value(kind, 'nul1', { nullable: true }), kind).toBeUndefined();
    }
    expect(value('nothing', '"text"', { nullable: true })).toBeUndefined();
  });
});

describe('a record', () => {
  const coin = member('text', { name: 'coin' });
  const note = member('text', { name: 'note', optional: true });
  const at = member('whole', { name: 'at' });

  it('has its members in their order, without white space', () => {
    expect(read('{"coin":"DOC","note":"x","at":5}', coin, note, at)).toEqual({ coin: 'DOC', note: 'x', at: 5 });
    for (const text of [
      '{"coin":"DOC","at":5,"note":"x"}',
      '{"coin": "DOC","at":5}',
      '{"coin":"DOC","at":5,"more":1}',
      '{"coin":"DOC","at":5',
      '{"coin":"DOC"}',
      ' {"coin":"DOC","at":5}',
    ]) {
      expect(read(text, coin, note, at), text).toBeUndefined();
    }
  });

  it('may leave out what is optional, whose value then is undefined', () => {
    expect(read('{"coin":"DOC","at":5}', coin, note, at)).toEqual({ coin: 'DOC', note: undefined, at: 5 });
  });

  it('cannot be planned if its first member may be absent, or there is none', () => {
    expect(scanner.plan([note, coin])).toBeUndefined();
    expect(scanner.plan([])).toBeUndefined();
    expect(scanner.plan([coin, note])).toBeDefined();
  });

  it('holds others, and what follows them keeps its place', () => {
    const inner = member('record', { name: 'fee', members: [coin, at] });
    expect(
      read('{"a":"x","fee":{"coin":"DOC","at":7},"b":"y"}', member('text'), inner, member('text', { name: 'b' })),
    ).toEqual({
      ...{ a: 'x', fee: { coin: 'DOC', at: 7 }, b: 'y' },
    });
    expect(read('{"fee":{"coin":"DOC","at":x}}', inner)).toBeUndefined();
    expect(read('{"fee":{"coin":"DOC"}}', inner)).toBeUndefined();
  });

  it('forgets the one scanned before it', () => {
    expect(read('{"coin":"a\\nb"}', coin)).toEqual({ coin: 'a\nb' });
    expect(read('{"coin":"plain","at":1}', coin, at)).toEqual({ coin: 'plain', at: 1 });
    expect(read('{"at":3}', at)).toEqual({ at: 3 });
  });

  it('is enumerable by its members and outlives the bytes once it is detached', () => {
    read('{"coin":"DOC","at":5}', coin, at);
    const { record } = scanner;
    record.detach();
    loadText(memory, 'z'.repeat(60));
    expect(record).toMatchObject({ coin: 'DOC', at: 5 });
  });
});
