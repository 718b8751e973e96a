import type { LogEntry } from '../../../ports/event-log.ts';
import { append, collect, refuses, same, until } from './expect.ts';
import type { LogUnderTest } from './subject.ts';

const A = 'taker-swap/a';
const B = 'maker-swap/b';

/** Cases for rule L4. */
export const subscriptionCases: Readonly<Record<string, (subject: LogUnderTest) => Promise<void>>> = {
  'L4: a subscriber receives the existing entries, then new ones, once and in order': async ({ log }) => {
    await append(log, [A, 0], 'One', 'Two');
    const late = collect(log, { after: 0 });
    await append(log, [B, 0], 'Three');
    await append(log, [A, 2], 'Four');
    await until(() => late.seen.length >= 4, 'four entries');
    same(
      late.seen.map(({ envelope }) => envelope.type),
      ['One', 'Two', 'Three', 'Four'],
      'the entries',
    );
    const positions = late.seen.map(({ position }) => position);
    same(
      positions,
      positions.toSorted((left, right) => left - right),
      'the order',
    );
    same(
      late.seen.filter(({ envelope }) => envelope.stream === A).map(({ envelope }) => envelope),
      await log.read(A),
      A,
    );
  },
  'L4: a subscriber resumes after the last position that it saw': async ({ log }) => {
    await append(log, [A, 0], 'One', 'Two', 'Three');
    const all = collect(log, { after: 0 });
    await until(() => all.seen.length === 3, 'three entries');
    all.close();
    const resumed = collect(log, { after: (all.seen[1] as LogEntry).position });
    await append(log, [A, 3], 'Four');
    await until(() => resumed.seen.length >= 2, 'two entries');
    same(
      resumed.seen.map(({ envelope }) => envelope.type),
      ['Three', 'Four'],
      'the entries',
    );
    same(all.seen.length, 3, 'what the closed one received');
  },
  'L4: a subscriber can ask for one stream, or for new entries only': async ({ log }) => {
    await append(log, [A, 0], 'One');
    const [ofB, fromNow] = [collect(log, { after: 0, stream: B }), collect(log, { after: Number.POSITIVE_INFINITY })];
    await append(log, [B, 0], 'Two');
    await append(log, [A, 1], 'Three');
    await append(log, [B, 1], 'Four');
    await until(() => ofB.seen.length >= 2 && fromNow.seen.length >= 3, 'all entries');
    same(
      ofB.seen.map(({ envelope }) => envelope.type),
      ['Two', 'Four'],
      'of one stream',
    );
    same(
      fromNow.seen.map(({ envelope }) => envelope.type),
      ['Two', 'Three', 'Four'],
      'from now on',
    );
  },
  'L4: a subscriber can append and close inside its callback': async ({ log }) => {
    const seen: string[] = [];
    const subscription = log.subscribe({ after: 0 }, ({ envelope }) => {
      seen.push(envelope.type);
      if (envelope.type === 'One') void append(log, [A, 1], 'Two');
      if (envelope.type === 'Two') subscription.close();
    });
    const other = collect(log, { after: 0 });
    await append(log, [A, 0], 'One');
    await until(() => other.seen.length === 2, 'both entries');
    await append(log, [A, 2], 'Three');
    await until(() => other.seen.length === 3, 'the third entry');
    same(seen, ['One', 'Two'], 'what the closed one received');
    same(
      other.seen.map(({ envelope }) => envelope.type),
      ['One', 'Two', 'Three'],
      'what the other one received',
    );
  },
  'L4: the next entry waits for a subscriber that answers with a promise': async ({ log }) => {
    const total = 300;
    const seen: number[] = [];
    let [running, most] = [0, 0];
    // Nothing is thrown here: in a log that does not bear what its subscribers throw, that would end the process.
    log.subscribe({ after: 0 }, async ({ envelope }) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      seen.push(envelope.seq);
      running--;
    });
    for (let seq = 0; seq < total; seq += 3) await append(log, [A, seq], 'One', 'Two', 'Three');
    await until(() => seen.length >= total, 'all entries');
    same(most, 1, 'concurrent calls of a subscriber');
    same(
      seen,
      Array.from({ length: total }, (_, seq) => seq),
      'the entries',
    );
  },
  'L4: a cursor beyond the end is refused': async ({ log }) => {
    await append(log, [A, 0], 'One');
    const { seen } = collect(log, { after: 0 });
    await until(() => seen.length === 1, 'the entry');
    const { position } = seen[0] as LogEntry;
    await refuses('LOG_CURSOR_AHEAD', () => collect(log, { after: position + 1 }));
    await refuses('LOG_RECORD_INVALID', () => collect(log, { after: -1 }));
  },
};
