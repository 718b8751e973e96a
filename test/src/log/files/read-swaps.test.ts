import { writeFileSync } from 'node:fs';
import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { savedSwapText } from '../../../../src/events/encode.ts';
import { jsonlText } from '../../../../src/events/jsonl.ts';
import { expandInputs } from '../../../../src/log/files/inputs.ts';
import { openFile } from '../../../../src/log/files/open-file.ts';
import type { ReadSwap } from '../../../../src/log/files/read-swap.ts';
import { readInputs, readSwaps } from '../../../../src/log/files/read-swaps.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { collect, scratchFolder } from '../../../support/cli.ts';

const log = (seed: string) =>
  buildSwap({ role: 'taker', path: successPath('taker', { era: 'current', watchers: false }), seed });
const first = log('first');
const second = log('second');
const one = savedSwapText(first);

async function read(content: string | Uint8Array, name = 'swaps.any'): Promise<ReadSwap[]> {
  using scratch = scratchFolder({ [name]: content });
  const found: ReadSwap[] = [];
  for await (const swap of readSwaps(scratch.file(name))) found.push(swap);
  return found;
}

const uuids = (swaps: readonly ReadSwap[]) => swaps.map((swap) => (swap.ok ? swap.log.uuid : swap.error.code));

const pretty = JSON.stringify(JSON.parse(one), null, 2);

describe('the form of a file', () => {
  const both = [first.uuid, second.uuid];
  it.each([
    ['a saved swap on one line', one, [first.uuid]],
    ['a saved swap on many lines', pretty, [first.uuid]],
    ['a list of saved swaps', `[${one},\n${savedSwapText(second)}]`, both],
    ['one saved swap a line', `${one}\n${savedSwapText(second)}\n`, both],
    ['event records', jsonlText(first) + jsonlText(second), both],
    ['event records with another order of members', reordered(jsonlText(first)), [first.uuid]],
    ['an answer of the RPC', JSON.stringify({ result: JSON.parse(one) }), [first.uuid]],
    ['a text with byte order mark', `\ufeff${one}`, [first.uuid]],
    ['UTF-16 as PowerShell writes it', Buffer.from(`\ufeff${pretty}`, 'utf16le'), [first.uuid]],
    ['UTF-16 event records', Buffer.from(`\ufeff${jsonlText(first)}`, 'utf16le'), [first.uuid]],
    [
      'values on many lines one behind the other',
      `${pretty}\n${JSON.stringify(JSON.parse(savedSwapText(second)), null, 2)}\n`,
      both,
    ],
    ['values one behind the other with nothing between', `${pretty}${savedSwapText(second)}`, both],
    ['CRLF line ends', `${one}\r\n${savedSwapText(second)}\r\n`, both],
  ])('is found out: %s', async (_, content, expected) => {
    expect(uuids(await read(content))).toEqual(expected);
    expect(uuids(await read(gzipSync(content)))).toEqual(expected);
  });

  function reordered(text: string): string {
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line) as object).reverse())))
      .join('\n');
  }
});

describe('what cannot be read', () => {
  it.each([
    ['nothing at all', '', ['NOT_JSON']],
    ['a text that ends too early', one.slice(0, 1000), ['NOT_JSON']],
    ['another kind of list', '[{"a":1},{"b":2}]', ['NOT_A_SWAP']],
    ['an error that a node answered', '{"error":"rpc:184] lp_swap:1168] No swap with uuid x"}', ['NODE_REFUSED']],
    ['a bad value among good ones on many lines', `${pretty}\n{\n"events": [,\n}\n${pretty}`, [first.uuid, 'NOT_JSON']],
    ['a value that ends too early behind a good one', `${pretty}\n${pretty.slice(0, 500)}`, [first.uuid, 'NOT_JSON']],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0xff]), ['NOT_JSON']],
    ['a compressed file that ends too early', gzipSync(one).subarray(0, 500), ['FILE_DAMAGED']],
    ['a compressed file with changed bytes', damaged(gzipSync(one)), ['FILE_DAMAGED']],
    [
      'one bad line among good ones',
      `${one}\n{"events":[\n${savedSwapText(second)}\n`,
      [first.uuid, 'NOT_JSON', second.uuid],
    ],
  ])('is one typed error in its place: %s', async (_, content, expected) => {
    expect(uuids(await read(content))).toEqual(expected);
  });

  function damaged(bytes: Buffer): Buffer {
    bytes.fill(0x55, 200, 260);
    return bytes;
  }

  it.each([
    ['broken', '{"stream":"taker-swap/'],
    ['zeroed', '\0'.repeat(4096)],
    ['of something else', '# a comment'],
    ['a saved swap', one],
  ])('a first line that is %s hides no record', async (_, line) => {
    const records = jsonlText(second);
    for (const name of ['log.jsonl', 'log.any']) {
      const found = await read(`${line}\n${records}`, name);
      expect(found.map(({ ok }) => ok).sort(), name).toEqual([false, true]);
      expect(
        found.find(({ ok }) => !ok),
        name,
      ).toMatchObject({ line: 1 });
      expect(uuids(found), name).toContain(second.uuid);
    }
  });

  it('a first line that is damaged hides no saved swap', async () => {
    const text = `${one.slice(0, 900)}\n${savedSwapText(second)}\n${one}\n`;
    const expected = ['NOT_JSON', second.uuid, first.uuid];
    expect(uuids(await read(text))).toEqual(expected);
    expect(uuids(await read(text, 'swaps.jsonl'))).toEqual(expected);
  });

  it.each([
    ['an answer with a swap on a line of its own', `{"result":{"swaps":[\n${one}\n]}}`],
    ['a list with a swap on a line of its own', `[\n${one}\n]`],
  ])('%s is one text', async (_, text) => {
    expect(uuids(await read(text))).toEqual([first.uuid]);
  });

  it.each([1, 40])('a packed file of %i times two swaps gives all before its damage', async (times) => {
    const packed = gzipSync(`${one}\n${savedSwapText(second)}\n`.repeat(times), { level: 0 });
    const wrong = Buffer.from(packed);
    wrong.writeUInt32LE(1, wrong.length - 8);
    const expected = Array.from({ length: times }, () => [first.uuid, second.uuid]).flat();
    for (const bytes of [wrong, Buffer.concat([packed, Buffer.from('garbage behind it')])]) {
      expect(uuids(await read(bytes, 'a.jsonl.gz'))).toEqual([...expected, 'FILE_DAMAGED']);
      const stdin = (async function* () {
        const size = times === 1 ? 500 : 10_000;
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      })();
      expect(uuids(await collect(readSwaps('-', { stdin })))).toEqual([...expected, 'FILE_DAMAGED']);
    }
  });

  it('a whole text in a packed file with a wrong checksum is read before the damage is reported', async () => {
    const packed = gzipSync(one);
    packed.writeUInt32LE(1, packed.length - 8);
    expect(uuids(await read(packed))).toEqual([first.uuid, 'FILE_DAMAGED']);
  });

  it('an empty file is called empty, an empty answer is no error', async () => {
    expect(await read('')).toMatchObject([{ ok: false, error: { shortMessage: 'The file is empty.' } }]);
    expect(await read('{"result":{"swaps":[]}}')).toEqual([]);
  });

  it('an unforeseen error is reported without its text', async () => {
    const stdin = (async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${one}\n`);
      throw new TypeError('secret');
    })();
    const found = await collect(readSwaps('-', { stdin }));
    const bad = found.at(-1);
    expect(bad).toMatchObject({ ok: false, error: { code: 'UNEXPECTED', facts: { kind: 'TypeError' } } });
    expect(bad?.ok === false ? bad.error.message : 'secret').not.toContain('secret');
  });

  it('names the line of a bad line', async () => {
    const [, bad] = await read(`${one}\n{"events":[\n`);
    expect(bad).toMatchObject({ ok: false, line: 2 });
  });

  it('keeps the records before the damage', async () => {
    const packed = gzipSync(jsonlText(first) + jsonlText(second));
    const found = await read(packed.subarray(0, packed.length - 20));
    expect(uuids(found)[0]).toBe(first.uuid);
    expect(uuids(found).at(-1)).toBe('FILE_DAMAGED');
  });

  it('is reported with what to do', async () => {
    using scratch = scratchFolder({ 'cut.json.gz': gzipSync(one).subarray(0, 500) });
    const [bad] = await collect(readSwaps(scratch.file('cut.json.gz')));
    if (bad === undefined || bad.ok) throw new Error('expected an error');
    expect(bad.error.message.replace(scratch.path, '<folder>')).toMatchInlineSnapshot(`
      "[FILE_DAMAGED] The file is damaged.

        file    <folder>/cut.json.gz
        reason  the compressed data ends too early

      Fetch it again, or take it from a backup: an interrupted download or copy leaves such a file.

      Docs: docs/reference/errors.md#file_damaged"
    `);
  });

  it('does not stop the other files, which come in order', async () => {
    using scratch = scratchFolder({ 'a.json': one, 'b.json': '{', 'c.json': savedSwapText(second) });
    const inputs = (async function* () {
      for (const name of ['a.json', 'nope.json', 'b.json', 'c.json'])
        yield { ok: true, file: scratch.file(name) } as const;
    })();
    const found = await collect(readInputs(inputs));
    expect(uuids(found)).toEqual([first.uuid, 'FILE_NOT_FOUND', 'NOT_JSON', second.uuid]);
  });
});

describe('bounds', () => {
  it.each([1, 32, 33, 63, 64, 65, 97, 130])(
    'the swaps of %i files come in the order of the files, each once',
    async (count) => {
      const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
      const texts = Array.from({ length: count }, (_, index) => one.replaceAll(first.uuid, uuid(index)));
      const packed = (text: string, index: number) => (index % 5 === 3 ? gzipSync(text) : text);
      using scratch = scratchFolder(
        Object.fromEntries(texts.map((text, index) => [`${String(index).padStart(4, '0')}.json`, packed(text, index)])),
      );
      expect(uuids(await collect(readInputs(expandInputs([scratch.path]))))).toEqual(
        texts.map((_, index) => uuid(index)),
      );
    },
  );

  it.each([0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1])(
    'all of a file of %i more bytes is read',
    async (more) => {
      using scratch = scratchFolder({ 'a.json': `${one}${' '.repeat(more)}` });
      const { size, bytes } = await openFile(scratch.file('a.json'));
      let length = 0;
      for await (const chunk of bytes) length += chunk.length;
      expect([size, length]).toEqual([one.length + more, one.length + more]);
    },
  );

  it.runIf(process.platform === 'linux')('a file is read whole even if the system reports no size for it', async () => {
    const { bytes } = await openFile('/proc/self/status');
    let text = '';
    for await (const chunk of bytes) text += Buffer.from(chunk).toString();
    expect(text).toMatch(/^Name:[\s\S]*\nnonvoluntary_ctxt_switches:/);
  });

  it('a compressed file that grows beyond all measure is refused', async () => {
    using scratch = scratchFolder();
    const gzip = createGzip();
    const packed: Buffer[] = [];
    gzip.on('data', (chunk: Buffer) => packed.push(chunk));
    const zeros = Buffer.alloc(1024 * 1024, 32);
    for (let count = 0; count < 80; count++) gzip.write(zeros);
    await new Promise((resolve) => gzip.end(resolve));
    writeFileSync(scratch.file('bomb.json.gz'), Buffer.concat(packed));
    expect(uuids(await collect(readSwaps(scratch.file('bomb.json.gz'))))).toEqual(['FILE_TOO_LARGE']);
  });

  it('standard input is read where - is asked for', async () => {
    const stdin = (async function* () {
      for (const byte of Buffer.from(one)) yield Uint8Array.of(byte);
    })();
    expect(uuids(await collect(readSwaps('-', { stdin })))).toEqual([first.uuid]);
  });
});

describe('records on request', () => {
  it('come with each swap of a log file, sealed as they were', async () => {
    using scratch = scratchFolder({ 'log.jsonl': jsonlText(first) + jsonlText(second) });
    const found = await collect(readSwaps(scratch.file('log.jsonl'), { records: true }));
    expect(found.map((swap) => (swap.ok ? swap.records?.map(({ seq }) => seq).length : 0))).toEqual([
      first.events.length + 1,
      second.events.length + 1,
    ]);
  });

  it('do not depend on how the bytes arrive', async () => {
    const twice = jsonlText(first) + jsonlText(second) + jsonlText(first);
    const counts = async (step: number) => {
      const bytes = Buffer.from(twice);
      const stdin = (async function* () {
        for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
      })();
      const found = await collect(readSwaps('-', { stdin, records: true }));
      return found.map((swap) => (swap.ok ? swap.records?.map(({ seq }) => seq) : swap.error.code));
    };
    const one = Array.from({ length: first.events.length + 1 }, (_, seq) => seq);
    const expected = [one, Array.from({ length: second.events.length + 1 }, (_, seq) => seq), one];
    for (const step of [97, 4096, twice.length]) expect(await counts(step)).toEqual(expected);
  });

  it('a plain log file can be taken over whole', async () => {
    using scratch = scratchFolder({ 'log.jsonl': jsonlText(first), 'swap.json': one });
    const taken: string[] = [];
    const inputs = (async function* () {
      for (const name of ['log.jsonl', 'swap.json']) yield { ok: true, file: scratch.file(name) } as const;
    })();
    const takeRecords = async (file: string) => {
      taken.push(file);
    };
    expect(uuids(await collect(readInputs(inputs, { takeRecords })))).toEqual([first.uuid]);
    expect(taken).toEqual([scratch.file('log.jsonl')]);
  });
});

it('a missing file is refused when it is opened', async () => {
  await expect(openFile('/nowhere/swap.json')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
});
