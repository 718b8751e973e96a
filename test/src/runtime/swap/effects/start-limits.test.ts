import { describe, expect, it } from 'vitest';
import { toBigNumber } from '../../../../../src/primitives/decimal.ts';
import type { Tries } from '../../../../../src/runtime/facts.ts';
import { start } from '../../../../../src/runtime/swap/effects/start.ts';
import {
  appended,
  asked,
  decided,
  event,
  failed,
  inMillis,
  requested,
  seen,
} from '../../../../support/effect-turns.ts';
import { after, NOW, quoteOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const REQUEST = requested({ maker_amount: '1.5' as never, taker_amount: '3' as never });
const quotes = {
  maker: { ...seen(quoteOf({ height: 20 }), 90_000), since: null },
  taker: { ...seen(quoteOf({ height: 10 }), 90_000), since: null },
};

const starts = ({ swap, events, ...rest }: TurnChanges = {}) =>
  decided(
    start,
    turnOf({
      policy: { startWithin: 60 },
      journal: { request: REQUEST },
      ...rest,
      events: {
        feeBefore: () => ({ kind: 'none', feeSat: 0n, burnSat: 0n }),
        started: (given, now) => event('Started', { given, now }),
        ...events,
      },
      swap: { lastEventAt: NOW, ...swap },
    }),
  );
const ask = (leg: 'maker' | 'taker') => asked(leg, { op: 'quote' });

describe('before a swap starts', () => {
  it('both chains are asked, its own first', () => {
    expect(starts()).toEqual([ask('taker'), 60_001]);
    expect(starts({ swap: { role: 'maker', own: 'maker', other: 'taker' } })[0]).toStrictEqual(ask('maker'));
    expect(starts({ facts: { quotes: { taker: quotes.taker } } })[0]).toStrictEqual(ask('maker'));
    expect(starts({ facts: { tries: failed('taker:quote', { next: after(5) }) } })).toEqual([ask('maker'), 5000]);
    const silent = new Map([
      ...failed('taker:quote', { next: after(5) }),
      ...failed('maker:quote', { next: after(3) }),
    ]);
    expect(starts({ facts: { tries: silent } })).toEqual([null, 3000]);
  });

  it('it starts as soon as both have answered, however late', () => {
    const given = { maker: quotes.maker.value, taker: quotes.taker.value };
    expect(starts({ facts: { quotes } })[0]).toStrictEqual(appended(event('Started', { given, now: NOW })));
    const now = after(900);
    expect(starts({ now, facts: { quotes } })[0]).toStrictEqual(appended(event('Started', { given, now })));
  });

  it('it fails at once if one answer shows that the coins do not suffice', () => {
    const poor = { ...quotes.taker, value: quoteOf({ spendable: '1' as never }) };
    const text = '!check_balance_for_taker_swap Not enough MARTY for swap: available 1, required at least 3.0001,';
    expect(starts({ facts: { quotes: { taker: poor } } })[0]).toMatchObject({
      events: [{ type: 'StartFailed', data: { error: expect.stringContaining(text) } }],
    });
  });

  it('it waits for coins that other swaps hold, for half of its time, and looks again now and then', () => {
    const since = new Map() as never;
    const others = { since: () => since, held: (coin: string) => toBigNumber((coin === 'MARTY' ? '8' : '0') as never) };
    const at = (ago: number) => ({
      maker: { ...quotes.maker, ...seen(quotes.maker.value, ago), since },
      taker: { ...quotes.taker, ...seen(quotes.taker.value, ago), since },
    });
    const waits = (now: number, ago: number) =>
      starts({ others, now: inMillis(now), facts: { quotes: at(ago - now) } });
    expect(waits(0, 0)).toEqual([null, 5001]);
    expect(waits(0, 4999)).toEqual([null, 2]);
    expect(waits(0, 5001)[0]).toStrictEqual(asked('taker', { op: 'quote', since }));
    expect(waits(28_000, 0)).toEqual([null, 30_001]);
    expect(waits(30_000, 0)[0]).toBeNull();
    expect(waits(30_001, 0)[0]).toMatchObject({ events: [{ type: 'StartFailed' }] });
    const poor = { ...at(0), taker: { ...at(0).taker, value: quoteOf({ spendable: '1' as never }) } };
    expect(starts({ others, facts: { quotes: poor } })[0]).toMatchObject({ events: [{ type: 'StartFailed' }] });
  });

  it('it does nothing with a log that came from elsewhere', () => {
    expect(starts({ journal: { request: null } })[0]).toBeNull();
  });
});

describe('a start that is given up', () => {
  const late = (tries: Map<string, Tries> = new Map(), changes: TurnChanges = {}) =>
    starts({ now: inMillis(60_001), ...changes, facts: { tries, ...changes.facts } })[0];
  const fails = (error: string) => appended(event('StartFailed', { error }));

  it('has had a minute', () => {
    expect(starts({ now: inMillis(60_000) })).toEqual([ask('taker'), 60_001]);
    expect(late()).toStrictEqual(fails('!taker_coin.get_fee_to_send_taker_fee Transport error: no answer'));
  });

  it('names the first question that has no answer', () => {
    const fault = (leg: string, part?: Tries['part']) =>
      failed(`${leg}:quote`, { message: 'no route', ...(part === undefined ? {} : { part }) });
    const heights = new Map([...fault('maker', 'height'), ...fault('taker', 'height')]);
    expect(late(heights)).toStrictEqual(fails('!maker_coin.current_block Transport error: no route'));
    const answered = { facts: { quotes: { maker: quotes.maker } } };
    expect(late(fault('taker', 'height'), answered)).toStrictEqual(
      fails('!taker_coin.current_block Transport error: no route'),
    );
    const own = { facts: { quotes: { taker: quotes.taker } } };
    expect(late(new Map(), own)).toStrictEqual(fails('!maker_coin.get_receiver_trade_fee Transport error: no answer'));
  });

  it('names the height if a chain cannot say what it is not asked for', () => {
    const odd = failed('maker:quote', { message: 'no route', part: 'dexFeeFee' });
    const own = { facts: { quotes: { taker: quotes.taker } } };
    expect(late(odd, own)).toStrictEqual(fails('!maker_coin.current_block Transport error: no route'));
    const maker = {
      swap: { role: 'maker', own: 'maker', other: 'taker' },
      facts: { quotes: { taker: quotes.taker } },
    } as const;
    expect(late(odd, maker)).toStrictEqual(fails('!maker_coin.current_block Transport error: no route'));
  });
});
