import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../../src/events/decode-event.ts';
import { decodeSavedSwap, type SwapLog } from '../../../../src/events/saved-swap.ts';
import type { JsonObject } from '../../../../src/primitives/json.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { compareSides } from '../../../../src/replay/compare/sides.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';

const refunds = {
  makerPath: [
    ...['Started', 'Negotiated', 'TakerFeeValidated', 'MakerPaymentSent', 'TakerPaymentValidateFailed'],
    ...['MakerPaymentWaitRefundStarted', 'MakerPaymentRefunded', 'Finished'],
  ],
} as const;

const sound = buildSwapPair({ seed: 'sides', makerCoin: 'LTC', takerCoin: 'DOC' });

function changed(log: SwapLog, type: string, change: (data: JsonObject) => JsonObject): SwapLog {
  const events = log.events.map((event) =>
    event.type === type ? ({ ...event, data: change(event.data as JsonObject) } as StoredEvent) : event,
  );
  return { ...log, events };
}

function later(log: SwapLog, millis: number): SwapLog {
  return { ...log, events: log.events.map((event) => ({ ...event, at: millisOf(event.at + millis) })) };
}

describe('the logs of both sides of one swap', () => {
  it('say together who has what, and agree on every fact', () => {
    const { together, contradictions, differences, facts } = compareSides(sound);
    expect(together).toEqual([
      expect.stringMatching(
        /^The maker payment of [\d.]+ LTC was spent to the taker \([0-9a-f]{64}\), with confirmations\.$/,
      ),
      expect.stringMatching(
        /^The taker payment of [\d.]+ DOC was spent to the maker \([0-9a-f]{64}\), with confirmations\.$/,
      ),
      'Each side has the coin of the other: the swap is completed.',
    ]);
    expect([contradictions, differences]).toEqual([[], []]);
    expect(facts.map(({ verdict }) => verdict)).not.toContain('differs');
    expect(facts.map(({ fact }) => fact)).toEqual(
      expect.arrayContaining([
        'maker payment',
        'taker payment',
        'taker fee',
        'claim of the taker payment',
        'secret hash',
      ]),
    );
  });

  it('report what only one shows: the maker never learns who claimed its payment', () => {
    expect(compareSides(sound).shownByOne).toEqual([
      'The log of the taker shows that the maker payment was claimed; the log of the maker shows no spend of it.',
    ]);
  });

  it('name the side that a transaction confirms, if they report two locks', () => {
    const lied = changed(sound.taker, 'Negotiated', (data) => ({
      ...data,
      maker_payment_locktime: Number(data['maker_payment_locktime']) + 60,
    }));
    const { contradictions } = compareSides({ maker: sound.maker, taker: lied });
    expect(contradictions).toHaveLength(1);
    expect(contradictions[0]).toMatch(
      /^The lock of the maker payment is \d+ in the log of the maker and \d+ in the log of the taker\. The transaction in the logs bears out the maker\.$/,
    );
  });

  it('name the side whose id is that of the bytes, if they report two transactions', () => {
    const other = changed(sound.maker, 'TakerFeeValidated', (data) => ({ ...data, tx_hash: 'ab'.repeat(32) }));
    const { contradictions } = compareSides({ maker: other, taker: sound.taker });
    expect(contradictions).toEqual([expect.stringMatching(/^The taker fee is (?:ab){32} .* bears out the taker\.$/)]);
  });

  it('do not call a ticker that another node uses a contradiction', () => {
    const renamed = changed(sound.maker, 'Started', (data) => ({ ...data, taker_coin: 'DOC-OLD' }));
    const { contradictions, differences } = compareSides({ maker: renamed, taker: sound.taker });
    expect([contradictions, differences]).toEqual([
      [],
      ['The taker coin is called DOC-OLD by the maker and DOC by the taker.'],
    ]);
  });

  it('report two ends of one payment as impossible, and give the coins to nobody', () => {
    const pair = buildSwapPair({ seed: 'two ends', ...refunds });
    const { together, contradictions } = compareSides(pair);
    expect(together.at(-1)).toBe(
      'Only the chains show who has what: one of the logs tells an end that cannot be true.',
    );
    expect(contradictions).toContainEqual(expect.stringContaining('one payment has one end.'));
  });

  it('say who lost what, if one side has both coins', () => {
    const makerPath = [...sound.maker.events.map(({ type }) => type).slice(0, 4), ...refunds.makerPath.slice(4)];
    const takerPath = [
      'Started',
      'Negotiated',
      'TakerFeeSent',
      'MakerPaymentReceived',
      'MakerPaymentWaitConfirmStarted',
    ];
    const paid = [
      'MakerPaymentValidatedAndConfirmed',
      'TakerPaymentSent',
      'TakerPaymentSpent',
      'MakerPaymentSpendFailed',
    ];
    const pair = buildSwapPair({ seed: 'lost', makerPath, takerPath: [...takerPath, ...paid, 'Finished'] });
    const { together } = compareSides(pair);
    expect(together.at(-1)).toMatch(
      /^The maker has the coin of the taker, and its own back: the taker lost [\d.]+ \w+\.$/,
    );
  });

  it('report an open payment as open', () => {
    const open = { ...sound.taker, events: sound.taker.events.slice(0, 7) };
    const { together } = compareSides({
      maker: { ...sound.maker, events: sound.maker.events.slice(0, 5) },
      taker: open,
    });
    expect(together.at(-1)).toMatch(/^The two logs together do not settle everything/);
  });

  it('are one story in the order of time, each log in its own', () => {
    const { story, differences } = compareSides({ maker: sound.maker, taker: later(sound.taker, 3_600_000) });
    const places = (types: readonly string[]) => types.map((type) => story.findIndex((event) => event.type === type));
    const [sent = 0, validated = 0, paid = 0, received = 0] = places([
      ...['TakerFeeSent', 'TakerFeeValidated'],
      ...['MakerPaymentSent', 'MakerPaymentReceived'],
    ]);
    expect(sent < validated && validated < paid && paid < received).toBe(true);
    expect(story).toHaveLength(sound.maker.events.length + sound.taker.events.length);
    expect(differences).toEqual([
      expect.stringMatching(/^The clock of the taker was ahead of that of the maker by .* or more/),
    ]);
  });

  it('hide what an emptied log does not say', () => {
    const empty = decodeSavedSwap({
      type: 'Maker',
      uuid: sound.maker.uuid,
      events: [],
      success_events: [],
      error_events: [],
    });
    const { facts, contradictions } = compareSides({ maker: empty, taker: sound.taker });
    expect(contradictions).toEqual([]);
    expect(new Set(facts.map(({ verdict }) => verdict))).toEqual(new Set(['oneSided']));
  });
});
