import { describe, expect, it } from 'vitest';
import { createMemoryLog, LogDamagedError } from '../../../../src/log/memory/index.ts';
import type { EventLog } from '../../../../src/ports/event-log.ts';
import { hash160, sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import { createClaimBook } from '../../../../src/runtime/loop/claim-book.ts';

const SECRET = 'ab'.repeat(32);
const HASH = bytesToHex(hash160(hexToBytes(SECRET)));
const LONG_HASH = bytesToHex(sha256(hexToBytes(SECRET)));
const TX = 'c7'.repeat(32);
const AT = 1_700_000_000_000 as Millis;

type Event = { readonly type: string; readonly data: unknown };

const requested = (secret: unknown, type = 'SwapRequested'): Event => ({ type, data: { secret } });
const negotiated = (secret_hash: unknown = HASH): Event => ({ type: 'Negotiated', data: { secret_hash } });
const offered = (secret_hash = HASH): Event => ({
  type: 'MessageReceived',
  data: { message: { kind: 'negotiation', offer: { secret_hash } } },
});
const of = (type: string, tx_hash: unknown = TX): Event => ({ type, data: { tx_hex: '00', tx_hash } });
const prepared = (purpose = 'payment', tx_hash = TX): Event => ({
  type: 'TransactionPrepared',
  data: { purpose, tx: { tx_hex: '00', tx_hash } },
});
const attempted = (purpose = 'payment'): Event => ({ type: 'BroadcastAttempted', data: { purpose, tx_hash: TX } });
const stored = (events: readonly Event[], at: number = AT) => events.map((event) => ({ ...event, at: at as Millis }));

/** A book over a log that holds these streams. */
function bookOf(streams: Readonly<Record<string, readonly Event[]>>, changes: Partial<EventLog> = {}) {
  const log = createMemoryLog();
  for (const [stream, events] of Object.entries(streams)) {
    log.append({ stream, expected: 0, records: stored(events).map((event) => ({ ...event, version: 1 })) });
  }
  const reads: string[] = [];
  const read = (stream: string) => {
    reads.push(stream);
    return log.read(stream);
  };
  return { book: createClaimBook({ ...log, read, ...changes }), reads };
}

/** The stream that an event is refused to another for, once the log was read. */
async function refusal(streams: Readonly<Record<string, readonly Event[]>>, stream: string, event: Event) {
  const { book } = bookOf(streams);
  await book.complete();
  return book.take(stream, [event]);
}

describe('U1: a secret of a swap in the log', () => {
  it('belongs to no other, in either role, however it is spelled', async () => {
    const own = [requested(SECRET), requested(SECRET.toUpperCase()), requested(SECRET, 'Started')];
    const heard = [offered(), negotiated(), negotiated(LONG_HASH), negotiated(HASH.toUpperCase())];
    for (const mine of own) {
      for (const theirs of heard) {
        expect(await refusal({ 'maker-swap/1': [mine] }, 'taker-swap/2', theirs)).toBe('maker-swap/1');
        expect(await refusal({ 'taker-swap/1': [theirs] }, 'maker-swap/2', mine)).toBe('taker-swap/1');
        expect(await refusal({ 'taker-swap/1': [theirs] }, 'taker-swap/2', negotiated())).toBe('taker-swap/1');
      }
      expect(await refusal({ 'maker-swap/1': [mine] }, 'maker-swap/2', requested(SECRET))).toBe('maker-swap/1');
    }
  });

  it('is known by its hash alone if the log hides it, and zeros are no secret', async () => {
    const hidden = { type: 'Started', data: { secret: '00'.repeat(32), secret_hash: HASH } };
    expect(await refusal({ 'maker-swap/1': [hidden] }, 'maker-swap/2', requested(SECRET))).toBe('maker-swap/1');
    const zeros = { type: 'Started', data: { secret: '00'.repeat(32), secret_hash: '00'.repeat(20) } };
    expect(await refusal({ 'maker-swap/1': [zeros] }, 'maker-swap/2', zeros)).toBeNull();
  });

  it('is that of its request, its start, the offer or the agreement; other events do not count', async () => {
    for (const streams of [
      { 'maker-swap/1': [requested(SECRET, 'Other')] },
      { 'maker-swap/1': [requested(null)] },
      { 'maker-swap/1': [negotiated()] },
      { 'taker-swap/1': [requested(SECRET)] },
      { 'taker-swap/1': [negotiated(null)] },
      { 'taker-swap/1': [negotiated('abc')] },
      {
        'taker-swap/1': [
          { type: 'MessageReceived', data: { message: { kind: 'other', offer: { secret_hash: HASH } } } },
        ],
      },
      { 'watcher/1': [negotiated()] },
    ]) {
      expect(await refusal(streams, 'taker-swap/2', negotiated())).toBeNull();
    }
  });

  it('belongs to both sides of one swap', async () => {
    expect(await refusal({ 'maker-swap/1': [requested(SECRET)] }, 'taker-swap/1', negotiated())).toBeNull();
  });
});

describe('U1: a transaction of a swap in the log', () => {
  const OF = {
    'taker-swap': [
      'TakerFeeSent',
      'MakerPaymentReceived',
      'TakerPaymentSent',
      'MakerPaymentSpent',
      'MakerPaymentSpentByWatcher',
    ],
    'maker-swap': ['TakerFeeValidated', 'MakerPaymentSent', 'TakerPaymentReceived', 'TakerPaymentSpent'],
  } as const;

  it('belongs to no other, whatever its purpose', async () => {
    for (const [machine, types] of Object.entries(OF)) {
      for (const type of types) {
        for (const id of [TX, TX.toUpperCase(), `0x${TX}`]) {
          const streams = { [`${machine}/1`]: [of(type, id)] };
          for (const other of OF['maker-swap']) {
            expect(await refusal(streams, 'maker-swap/2', of(other))).toBe(`${machine}/1`);
            expect(await refusal(streams, 'maker-swap/1', of(other))).toBeNull();
          }
          expect(await refusal(streams, 'taker-swap/2', of('MakerPaymentReceived'))).toBe(`${machine}/1`);
          expect(await refusal(streams, 'taker-swap/2', prepared())).toBe(`${machine}/1`);
        }
      }
    }
  });

  it('does not count without an id, and what others do with their coins is theirs', async () => {
    expect(
      await refusal({ 'maker-swap/1': [of('TakerFeeValidated', '')] }, 'maker-swap/2', of('TakerFeeValidated', '')),
    ).toBeNull();
    const spend = { type: 'TakerPaymentSpent', data: { transaction: { tx_hash: TX }, secret: SECRET } };
    expect(await refusal({ 'taker-swap/1': [spend] }, 'taker-swap/2', spend)).toBeNull();
    expect(
      await refusal({ 'maker-swap/1': [of('TakerPaymentSpent', null)] }, 'maker-swap/2', of('TakerPaymentSpent')),
    ).toBeNull();
  });
});

describe('U2: what is claimed before it is written', () => {
  it('goes to the first taker, all of it or nothing', () => {
    const { book } = bookOf({});
    expect(book.take('taker-swap/1', [offered(), negotiated()])).toBeNull();
    expect(book.take('taker-swap/2', [of('TakerFeeSent'), negotiated()])).toBe('taker-swap/1');
    expect(book.take('taker-swap/3', [of('TakerFeeSent')])).toBeNull();
    expect(book.of('taker-swap/2').secretHash(LONG_HASH)).toBe('1');
    expect(book.of('taker-swap/1').secretHash(HASH)).toBeNull();
    expect(book.of('taker-swap/1').transaction(`0x${TX}`)).toBe('3');
    expect(book.of('taker-swap/1').transaction('d8'.repeat(32))).toBeNull();
  });

  it('is free again once the log turns out not to hold it, and stays claimed if it does', () => {
    const { book } = bookOf({});
    book.take('taker-swap/1', [negotiated()]);
    book.restore('taker-swap/1', []);
    expect(book.take('taker-swap/2', [negotiated()])).toBeNull();
    book.settle('taker-swap/2');
    book.restore('taker-swap/2', []);
    expect(book.take('taker-swap/3', [negotiated()])).toBe('taker-swap/2');
    book.take('taker-swap/4', [of('TakerFeeSent')]);
    book.restore('taker-swap/4', stored([of('TakerFeeSent')]));
    expect(book.take('taker-swap/3', [prepared('fee')])).toBe('taker-swap/4');
  });

  it('is free again when its stream was not begun', () => {
    const { book } = bookOf({});
    book.restore('maker-swap/1', stored([requested(SECRET)]));
    book.release('maker-swap/1', [requested(SECRET)]);
    expect(book.take('maker-swap/2', [requested(SECRET)])).toBeNull();
    book.release('maker-swap/3', [requested(SECRET)]);
    expect(book.take('maker-swap/3', [requested(SECRET)])).toBe('maker-swap/2');
  });

  it('stays taken when the stream is not driven any more', () => {
    const { book } = bookOf({});
    book.take('taker-swap/1', [negotiated()]);
    book.forget('taker-swap/1');
    expect(book.take('taker-swap/2', [negotiated()])).toBe('taker-swap/1');
  });

  it('is released with a finished stream while the log is unread, and found again when it is read', async () => {
    const { book } = bookOf({ 'taker-swap/1': [negotiated(), attempted()] });
    const finished = stored([negotiated(), attempted()]);
    book.restore('taker-swap/1', finished);
    expect(book.of('taker-swap/2').secretHash(HASH)).toBe('1');
    book.putAway('taker-swap/1', finished);
    expect(book.of('taker-swap/2').secretHash(HASH)).toBeNull();
    await book.complete();
    expect(book.take('taker-swap/2', [negotiated()])).toBe('taker-swap/1');
  });

  it('stays claimed by a finished stream that arrives while the log is read, or later', async () => {
    const [early, late] = [stored([negotiated()]), stored([of('TakerFeeSent')])];
    const { book } = bookOf({});
    const reading = book.complete();
    book.restore('taker-swap/1', early);
    book.putAway('taker-swap/1', early);
    await reading;
    book.restore('taker-swap/2', late);
    book.putAway('taker-swap/2', late);
    expect(book.take('taker-swap/3', [negotiated()])).toBe('taker-swap/1');
    expect(book.take('taker-swap/3', [of('TakerFeeSent')])).toBe('taker-swap/2');
  });

  it('U3: is kept by a finished stream if another swap has it too, so that it stays with the one that may have paid', async () => {
    const [open, paid] = [stored([negotiated()]), stored([negotiated(), attempted()], AT + 1)];
    for (const order of ['open first', 'finished first']) {
      const { book } = bookOf({ 'taker-swap/1': [negotiated()], 'taker-swap/2': [negotiated(), attempted()] });
      if (order === 'open first') book.restore('taker-swap/1', open);
      book.restore('taker-swap/2', paid);
      if (order === 'finished first') book.restore('taker-swap/1', open);
      book.putAway('taker-swap/2', paid);
      expect(book.of('taker-swap/1').secretHash(HASH), order).toBe('2');
      await book.complete();
      expect(book.of('taker-swap/1').secretHash(HASH), order).toBe('2');
    }
  });

  it('recognizes events that claim something, in streams of swaps only', () => {
    const { book } = bookOf({});
    expect(book.takes('taker-swap/1', [attempted(), negotiated()])).toBe(true);
    expect(book.takes('taker-swap/1', [attempted(), of('Other')])).toBe(false);
    expect(book.takes('watcher/1', [negotiated()])).toBe(false);
    expect(book.take('watcher/1', [negotiated()])).toBeNull();
  });
});

describe('U3: something that two streams of a log share', () => {
  const holderOf = (left: readonly Event[], right: readonly Event[], at: readonly [number, number] = [AT, AT + 1]) => {
    const holders = [
      [1, 2],
      [2, 1],
    ].map((order) => {
      const { book } = bookOf({});
      for (const which of order) {
        book.restore(`taker-swap/${which}`, which === 1 ? stored(left, at[0]) : stored(right, at[1]));
      }
      return book.of('taker-swap/3').secretHash(HASH);
    });
    expect(holders[0]).toBe(holders[1]);
    return holders[0];
  };

  it('belongs to the one that may have paid, in whichever order they are read', () => {
    expect(holderOf([negotiated()], [negotiated(), attempted()])).toBe('2');
    expect(holderOf([negotiated()], [negotiated(), of('TakerPaymentSent')])).toBe('2');
    expect(holderOf([negotiated(), attempted('fee')], [negotiated(), attempted()])).toBe('2');
    expect(holderOf([negotiated()], [negotiated(), of('MakerPaymentSent')])).toBe('1');
  });

  it('belongs to the one that began first if both or neither may have paid', () => {
    expect(holderOf([negotiated()], [negotiated()])).toBe('1');
    expect(holderOf([negotiated()], [negotiated()], [AT + 1, AT])).toBe('2');
    expect(holderOf([negotiated(), attempted()], [negotiated(), attempted()], [AT + 1, AT])).toBe('2');
    expect(holderOf([negotiated()], [negotiated()], [AT, AT])).toBe('1');
  });

  it('stays with a swap that pays while another is taken over', () => {
    const { book } = bookOf({});
    book.restore('taker-swap/1', stored([negotiated()]));
    expect(book.take('taker-swap/1', [prepared(), attempted()])).toBeNull();
    book.restore('taker-swap/2', stored([negotiated()], AT - 1));
    expect(book.of('taker-swap/1').secretHash(HASH)).toBeNull();
  });
});

describe('a finished stream', () => {
  it('is read once, and streams that run are not read again', async () => {
    const { book, reads } = bookOf({
      'maker-swap/1': [requested(SECRET)],
      'taker-swap/2': [of('MakerPaymentReceived'), prepared('claim', 'd8'.repeat(32))],
      'taker-swap/3': [negotiated('ee'.repeat(20))],
      'watcher/4': [negotiated()],
    });
    book.restore('taker-swap/3', stored([negotiated('ee'.repeat(20))]));
    expect(book.isComplete()).toBe(false);
    expect(reads).toEqual([]);
    await Promise.all([book.complete(), book.complete()]);
    expect(book.isComplete()).toBe(true);
    expect(book.complete()).toBeUndefined();
    expect(reads.toSorted()).toEqual(['maker-swap/1', 'taker-swap/2']);
    expect(book.take('taker-swap/5', [negotiated()])).toBe('maker-swap/1');
    expect(book.take('taker-swap/5', [of('MakerPaymentReceived')])).toBe('taker-swap/2');
  });

  it('keeps its own transactions to itself: no other stream gets them', async () => {
    expect(await refusal({ 'taker-swap/1': [prepared('claim')] }, 'taker-swap/2', prepared())).toBeNull();
  });

  const ways = [
    [
      'at once',
      (error: unknown) => {
        throw error;
      },
    ],
    ['as a promise', (error: unknown) => Promise.reject(error)],
  ] as const;

  it.each(ways)('gives no reliable answer if the log fails %s, and is read again', async (_, fail) => {
    const broken = { find: true, read: true };
    const log = createMemoryLog();
    log.append({ stream: 'maker-swap/1', expected: 0, records: [{ ...requested(SECRET), at: AT, version: 1 }] });
    const book = createClaimBook({
      ...log,
      find: (query) => (broken.find ? fail(new Error('x')) : log.find(query)),
      read: (stream) => (broken.read ? fail(new Error('x')) : log.read(stream)),
    });
    const unavailable = (stream: string) => ({ code: 'LOG_UNAVAILABLE', facts: { stream, reason: 'Error' } });
    await expect(book.complete()).rejects.toMatchObject(unavailable('all streams'));
    broken.find = false;
    await expect(book.complete()).rejects.toMatchObject(unavailable('maker-swap/1'));
    broken.read = false;
    await book.complete();
    expect(book.take('maker-swap/2', [requested(SECRET)])).toBe('maker-swap/1');
  });

  it.each(ways)(
    'counts for nothing where a stream is damaged, reported %s: nobody can say what it held',
    async (_, fail) => {
      const damage = new LogDamagedError('The seal is wrong.', { stream: 'maker-swap/1', next: 'Look.' });
      const { book } = bookOf({ 'maker-swap/1': [requested(SECRET)] }, { read: () => fail(damage) });
      await book.complete();
      const apart = bookOf(
        { 'maker-swap/1': [requested(SECRET)] },
        { quarantined: () => [{ stream: 'maker-swap/1', seq: 0, why: 'It is.' }] },
      );
      await apart.book.complete();
      expect(apart.reads).toEqual([]);
      expect(book.take('maker-swap/2', [requested(SECRET)])).toBeNull();
    },
  );
});

describe('a log that can be scanned', () => {
  /** The same streams, with a scan by type as a log in a file has it. */
  function scannable(
    streams: Readonly<Record<string, readonly Event[]>>,
    times: Readonly<Record<string, number>> = {},
  ) {
    const scans: (readonly string[])[] = [];
    const scan: NonNullable<EventLog['scan']> = (types, onRecord) => {
      scans.push(types);
      for (const type of types) {
        for (const [stream, events] of Object.entries(streams)) {
          for (const event of stored(events, times[stream] ?? AT)) {
            if (event.type === type) onRecord({ stream, ...event });
          }
        }
      }
    };
    return { ...bookOf(streams, { scan }), scans };
  }

  it('is not read stream by stream', async () => {
    const { book, reads, scans } = scannable({
      'maker-swap/1': [requested(SECRET), of('TakerFeeValidated')],
      'taker-swap/2': [negotiated('ee'.repeat(20)), prepared('claim', 'd8'.repeat(32))],
      'watcher/3': [negotiated('dd'.repeat(20))],
    });
    await Promise.all([book.complete(), book.complete()]);
    expect([reads, scans.length]).toEqual([[], 1]);
    expect(scans[0]).not.toContain('TransactionPrepared');
    expect(book.take('taker-swap/9', [negotiated()])).toBe('maker-swap/1');
    expect(book.take('maker-swap/9', [of('TakerFeeValidated')])).toBe('maker-swap/1');
    expect(book.take('taker-swap/9', [negotiated('ee'.repeat(20))])).toBe('taker-swap/2');
    expect(book.take('taker-swap/9', [negotiated('dd'.repeat(20))])).toBeNull();
  });

  it('U3: has the streams read that share something, whose owner keeps all of it', async () => {
    const shared = {
      'taker-swap/1': [negotiated()],
      'taker-swap/2': [negotiated(), attempted()],
      'taker-swap/3': [negotiated()],
      'taker-swap/4': [negotiated('ee'.repeat(20))],
    };
    const { book, reads } = scannable(shared);
    await book.complete();
    expect(reads.toSorted()).toEqual(['taker-swap/1', 'taker-swap/2', 'taker-swap/3']);
    expect(book.of('taker-swap/9').secretHash(HASH)).toBe('2');
  });

  it('leaves alone what running streams hold, and gives it to them if they may have paid', async () => {
    const { book, reads } = scannable({ 'taker-swap/1': [negotiated()], 'taker-swap/2': [negotiated(), attempted()] });
    book.restore('taker-swap/2', stored([negotiated(), attempted()], AT + 1));
    await book.complete();
    expect(reads).toEqual(['taker-swap/1']);
    expect(book.of('taker-swap/2').secretHash(HASH)).toBeNull();
  });

  it.each(['at once', 'as a promise'])('gives no reliable answer if the scan fails %s', async (how) => {
    let broken = true;
    const scan = () => {
      if (!broken) return;
      if (how === 'at once') throw new Error('x');
      return Promise.reject(new Error('x'));
    };
    const { book } = bookOf({}, { scan });
    await expect(book.complete()).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' });
    expect(book.isComplete()).toBe(false);
    broken = false;
    await book.complete();
    expect(book.isComplete()).toBe(true);
  });
});
