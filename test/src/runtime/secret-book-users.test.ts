import { describe, expect, it } from 'vitest';
import { createMemoryLog, LogDamagedError } from '../../../src/log/memory/index.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import { createSecretBook } from '../../../src/runtime/secret-book.ts';

const SECRET = 'ab'.repeat(32);
const AT = 1_700_000_000_000 as Millis;
const requested = (secret: unknown, type = 'SwapRequested') => ({ type, data: { secret } });

/** A book over a log that holds these streams. */
function bookOf(
  streams: Readonly<Record<string, readonly { type: string; data: unknown }[]>>,
  changes: Partial<EventLog> = {},
) {
  const log = createMemoryLog();
  for (const [stream, events] of Object.entries(streams)) {
    log.append({ stream, expected: 0, records: events.map((event) => ({ ...event, at: AT, version: 1 })) });
  }
  const reads: string[] = [];
  const book = createSecretBook({
    ...log,
    read: (stream) => {
      reads.push(stream);
      return log.read(stream);
    },
    ...changes,
  });
  return { book, reads };
}
const USED = {
  code: 'SWAP_REQUEST_INVALID',
  facts: { member: 'secret', expected: 'one that no other swap has used, or null' },
  next: 'Nothing was written. Leave the secret to the node: that of maker-swap/1 may be public.',
};

describe('U1: a secret that a stream holds', () => {
  it('is taken for every other, however it is spelled', async () => {
    for (const event of [requested(SECRET), requested(SECRET.toUpperCase()), requested(SECRET, 'Started')]) {
      const { book } = bookOf({ 'maker-swap/1': [{ type: 'Imported', data: null }, event] });
      await expect(book.take('maker-swap/2', SECRET)).rejects.toMatchObject(USED);
      await book.take('maker-swap/1', SECRET);
      await expect(book.take('maker-swap/2', SECRET.toUpperCase())).rejects.toMatchObject(USED);
    }
  });

  it('is that of its request or start; other events, other streams and none at all count for nothing', async () => {
    for (const streams of [
      { 'maker-swap/1': [{ type: 'Other', data: { secret: SECRET } }] },
      { 'maker-swap/1': [requested(null)] },
      { 'taker-swap/1': [requested(SECRET)] },
      { 'maker-swap/1': [requested('cd'.repeat(32)), requested(SECRET)] },
    ]) {
      await bookOf(streams).book.take('maker-swap/2', SECRET);
    }
    const later = bookOf({ 'maker-swap/1': [requested(null), requested(SECRET, 'Started')] });
    await expect(later.book.take('maker-swap/2', SECRET)).rejects.toMatchObject(USED);
  });

  it('belongs to the first that used it', async () => {
    const { book } = bookOf({ 'maker-swap/1': [requested(SECRET)], 'maker-swap/2': [requested(SECRET)] });
    await expect(book.take('maker-swap/3', SECRET)).rejects.toMatchObject(USED);
    await expect(book.take('maker-swap/2', SECRET)).rejects.toMatchObject(USED);
  });

  it('is set aside for whoever takes it first', async () => {
    const { book } = bookOf({});
    await book.take('maker-swap/1', SECRET);
    await expect(book.take('maker-swap/2', SECRET)).rejects.toMatchObject(USED);
  });
});

describe('a stream that is new', () => {
  it('is noted once the log was read, and found in it before', async () => {
    const { book, reads } = bookOf({});
    book.note('maker-swap/0', [requested('cd'.repeat(32))]);
    await book.take('maker-swap/9', 'ef'.repeat(32));
    book.note('maker-swap/1', [requested(SECRET)]);
    book.note('maker-swap/2', [requested(SECRET)]);
    book.note('taker-swap/3', [requested('12'.repeat(32))]);
    await expect(book.take('maker-swap/2', SECRET)).rejects.toMatchObject(USED);
    await book.take('maker-swap/4', 'cd'.repeat(32));
    await book.take('maker-swap/5', '12'.repeat(32));
    expect(reads).toEqual([]);
  });
});

describe('the log of the secrets', () => {
  it('is read once, and makers’ streams alone', async () => {
    const { book, reads } = bookOf({ 'maker-swap/1': [requested(SECRET)], 'taker-swap/1': [requested(SECRET)] });
    expect(reads).toEqual([]);
    await Promise.all([book.take('maker-swap/1', SECRET), book.take('maker-swap/2', 'cd'.repeat(32))]);
    expect(reads).toEqual(['maker-swap/1']);
  });

  it('gives no answer that can be relied on where it fails, and is read again for the next', async () => {
    const broken = { find: true, read: true };
    const log = createMemoryLog();
    log.append({ stream: 'maker-swap/1', expected: 0, records: [{ ...requested(SECRET), at: AT, version: 1 }] });
    const book = createSecretBook({
      ...log,
      find: (query) => {
        if (broken.find) throw new Error('x');
        return log.find(query);
      },
      read: (stream) => {
        if (broken.read) throw new Error('x');
        return log.read(stream);
      },
    });
    const unavailable = (stream: string) => ({ code: 'LOG_UNAVAILABLE', facts: { stream, reason: 'Error' } });
    await expect(book.take('maker-swap/2', SECRET)).rejects.toMatchObject(unavailable('all streams'));
    broken.find = false;
    await expect(book.take('maker-swap/2', SECRET)).rejects.toMatchObject(unavailable('maker-swap/1'));
    broken.read = false;
    await expect(book.take('maker-swap/2', SECRET)).rejects.toMatchObject(USED);
  });

  it('counts for nothing where a stream is damaged: what it held is known to nobody', async () => {
    const damage = new LogDamagedError('The seal is wrong.', { stream: 'maker-swap/1', next: 'Look.' });
    const read = () => {
      throw damage;
    };
    const { book } = bookOf({ 'maker-swap/1': [requested(SECRET)] }, { read });
    await book.take('maker-swap/2', SECRET);
  });
});
