import type { EventLog, StreamLabels, StreamQuery } from '../../../ports/event-log.ts';
import { knownAs } from '../../../primitives/known-as.ts';
import type { Millis } from '../../../primitives/time.ts';
import { record, refuses, same } from './expect.ts';
import type { LogUnderTest } from './subject.ts';

const STREAMS: readonly {
  readonly stream: string;
  readonly types: readonly string[];
  readonly labels?: StreamLabels;
}[] = [
  { stream: 'taker-swap/1', types: ['Started'] },
  {
    stream: 'maker-swap/2',
    types: ['Started', 'Finished'],
    labels: { makerCoin: 'KMD', takerCoin: 'LTC', outcome: 'completed', finished: true },
  },
  {
    stream: 'taker-swap/3',
    types: ['Started', 'TakerFeeSent'],
    labels: { makerCoin: 'LTC', takerCoin: 'DOC', state: 'feeSent', finished: false },
  },
  {
    stream: 'taker-swap/4',
    types: ['Started', 'Finished'],
    labels: { makerCoin: 'DOC', takerCoin: 'KMD', outcome: 'refunded', finished: true },
  },
  { stream: 'taker-swap-v2/5', types: ['Started'], labels: { makerCoin: 'kmd' } },
];

/** Cases for `find` and for labels. */
export const queryCases: Readonly<Record<string, (subject: LogUnderTest) => Promise<void>>> = {
  'L6: an invalid query or position is refused, and the log goes on': async ({ log }) => {
    await fill(log);
    for (const from of knownAs<readonly number[]>([-1, 0.5, Number.NaN, '1', null, true])) {
      await refuses('LOG_RECORD_INVALID', () => log.read('taker-swap/1', from));
    }
    await refuses('LOG_RECORD_INVALID', () => log.read(knownAs<string>(true)));
    for (const query of [{ limit: Number.NaN }, { limit: 1.5 }, { limit: -1 }, { coin: true }, { from: 'now' }]) {
      await refuses('LOG_RECORD_INVALID', () => log.find(knownAs<StreamQuery>(query)));
    }
    await refuses('LOG_RECORD_INVALID', () =>
      log.append({ stream: knownAs<string>(true), expected: 1, records: [record('One')] }),
    );
    same(log.quarantined(), [], 'what is set apart');
    same((await log.read('taker-swap/1')).length, 1, 'the records of a stream');
  },
  'a query finds the streams that match all of it, in the order of their first records': async ({ log }) => {
    await fill(log);
    const answers: readonly (readonly [StreamQuery, readonly number[]])[] = [
      [{}, [1, 2, 3, 4, 5]],
      [{ machine: 'taker-swap' }, [1, 3, 4]],
      [{ machine: 'taker' }, []],
      [{ coin: 'KMD' }, [2, 4]],
      [{ coin: 'DOC' }, [3, 4]],
      [{ outcome: 'completed' }, [2]],
      [{ finished: true }, [2, 4]],
      [{ finished: false }, [1, 3, 5]],
      [{ eventType: 'Finished' }, [2, 4]],
      [{ eventType: 'Nothing' }, []],
      [{ from: 1003 as Millis }, [3, 4, 5]],
      [{ to: 1003 as Millis }, [1, 2]],
      [{ from: 1002 as Millis, to: 1004 as Millis, finished: false }, [3]],
      [{ coin: 'KMD', eventType: 'Finished', machine: 'taker-swap', outcome: 'refunded', finished: true }, [4]],
      [{ limit: 2 }, [1, 2]],
      [{ finished: true, limit: 1 }, [2]],
      [{ limit: 0 }, []],
    ];
    for (const [query, expected] of answers) {
      const found = (await log.find(query)).map(({ stream }) => Number(stream.split('/')[1]));
      same(found, expected, JSON.stringify(query));
    }
  },
  'a summary contains the length, the times and the labels': async ({ log }) => {
    await fill(log);
    const [summary] = await log.find({ outcome: 'completed' });
    const { labels } = STREAMS[1] as { labels: StreamLabels };
    same(summary, { stream: 'maker-swap/2', length: 2, firstAt: 1002, lastAt: 2002, labels }, 'the summary');
  },
  'labels that an append does not name stay unchanged': async ({ log }) => {
    const stream = 'taker-swap/1';
    const steps: readonly (readonly [StreamLabels | undefined, StreamLabels])[] = [
      [
        { makerCoin: 'KMD', finished: false },
        { makerCoin: 'KMD', finished: false },
      ],
      [undefined, { makerCoin: 'KMD', finished: false }],
      [{ state: 'claiming' }, { makerCoin: 'KMD', finished: false, state: 'claiming' }],
      [
        { finished: true, makerCoin: 'LTC' },
        { makerCoin: 'LTC', finished: true, state: 'claiming' },
      ],
    ];
    for (const [expected, [labels, after]] of steps.entries()) {
      await log.append({ stream, expected, records: [record('Step')], ...(labels === undefined ? {} : { labels }) });
      same((await log.find({}))[0]?.labels, after, `the labels after append ${expected}`);
    }
    same((await log.find({ coin: 'KMD' })).length, 0, 'streams with the previous label');
  },
};

async function fill(log: EventLog): Promise<void> {
  for (const [index, { stream, types, labels }] of STREAMS.entries()) {
    const records = types.map((type, seq) => record(type, {}, 1000 * (seq + 1) + index + 1));
    await log.append({ stream, expected: 0, records, ...(labels === undefined ? {} : { labels }) });
  }
}
