import { describe, expect, it } from 'vitest';
import { flagsRule, headTermsRule, headUuidRule, myInfoRule, pricesRule } from '../../../../src/replay/audit/head.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { judge, notCheckable, verified, violated, withHead, withMembers, without } from '../../../support/audited.ts';

const { taker, maker, terms } = buildSwapPair({ seed: 91, amounts: { maker: '1.5', taker: '30' } });
const OTHER_ID = '11111111-2222-4333-8444-555555555555';
const NOT_PRINTED = 'the file does not say it beside the events';

describe('the id of the swap beside the events', () => {
  it("is that of Started, which is also the id of a taker's order", () => {
    expect(judge(headUuidRule, taker)).toEqual([verified(null, terms.uuid), verified(null, `order ${terms.uuid}`)]);
    expect(judge(headUuidRule, maker)).toEqual([verified(null, terms.uuid)]);
  });

  it('contradicts Started if it differs', () => {
    const file = withHead(taker, { uuid: OTHER_ID });
    expect(judge(headUuidRule, file)[0]).toEqual(violated(null, { expected: terms.uuid, found: OTHER_ID }));
    const order = withHead(taker, { my_order_uuid: OTHER_ID });
    expect(judge(headUuidRule, order)[1]).toEqual(
      violated(null, { expected: terms.uuid, found: OTHER_ID, reason: "a taker's order has the id of the swap" }),
    );
  });

  it('has nothing to be compared with without Started; an order may be unknown', () => {
    expect(judge(headUuidRule, without(taker, 'Started'))).toEqual([]);
    expect(judge(headUuidRule, withHead(taker, { my_order_uuid: null }))).toEqual([verified(null, terms.uuid)]);
  });
});

describe('the terms beside the events', () => {
  const found = [terms.makerCoin, terms.takerCoin, '1.5', '30'];

  it('are those of Started, whatever the spelling of an amount', () => {
    expect(judge(headTermsRule, taker)).toEqual(found.map((text) => verified(null, text)));
    expect(judge(headTermsRule, withHead(taker, { taker_amount: '30.00' }))[3]).toEqual(verified(null, '30.00'));
  });

  it('contradict Started if one differs', () => {
    const members = { maker_coin: 'AAA', taker_coin: 'BBB', maker_amount: '1.51', taker_amount: '3' };
    expect(judge(headTermsRule, withHead(taker, members))).toEqual(
      Object.entries(members).map(([reason, text], index) =>
        violated(null, { expected: String(found[index]), found: text, reason }),
      ),
    );
  });

  it('may be absent from the file, one by one or all', () => {
    const names = ['maker_coin', 'taker_coin', 'maker_amount', 'taker_amount'];
    for (const [index, name] of names.entries()) {
      expect(judge(headTermsRule, withHead(taker, { [name]: null }))[index]).toEqual(notCheckable(null, NOT_PRINTED));
      expect(judge(headTermsRule, withMembers(taker, 'Started', { [name]: undefined }))[index]).toEqual(
        notCheckable(null, NOT_PRINTED),
      );
    }
    const none = Object.fromEntries(names.map((name) => [name, null]));
    expect(judge(headTermsRule, withHead(taker, none))).toEqual([
      notCheckable(null, 'the file names no coins and amounts beside the events'),
    ]);
    expect(judge(headTermsRule, without(taker, 'Started'))).toEqual([]);
  });
});

describe('my_info of an RPC answer', () => {
  const info = {
    my_coin: terms.takerCoin,
    other_coin: terms.makerCoin,
    my_amount: '30',
    other_amount: '1.5',
    started_at: Number(terms.takerStartedAt),
  };
  const printed = (members: object) => judge(myInfoRule, withHead(taker, { my_info: { ...info, ...members } }));

  it('repeats coins, amounts and start of Started', () => {
    expect(printed({})).toEqual(Object.values(info).map((value) => verified(null, String(value))));
    expect(printed({ my_amount: 30, other_amount: '1.50' }).map(({ status }) => status)).not.toContain('violated');
    const mine = {
      ...info,
      my_coin: terms.makerCoin,
      other_coin: terms.takerCoin,
      my_amount: '1.5',
      other_amount: '30',
    };
    const other = withHead(maker, { my_info: { ...mine, started_at: Number(terms.makerStartedAt) } });
    expect(judge(myInfoRule, other).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'verified'));
  });

  it('contradicts Started if a member differs', () => {
    const others = { my_coin: 'AAA', other_coin: 'BBB', my_amount: '31', other_amount: '1.6', started_at: 5 };
    expect(printed(others)).toEqual(
      Object.entries(info).map(([reason, value], index) =>
        violated(null, { expected: String(value), found: String(Object.values(others)[index]), reason }),
      ),
    );
    expect(printed({ my_amount: 'thirty' })[2]).toMatchObject({ status: 'violated', found: 'thirty' });
  });

  it('may lack members, or not be there', () => {
    expect(printed({ my_coin: undefined })[0]).toEqual(notCheckable(null, NOT_PRINTED));
    expect(printed({ started_at: null })[4]).toEqual(notCheckable(null, NOT_PRINTED));
    expect(judge(myInfoRule, taker)).toEqual([]);
    expect(judge(myInfoRule, withHead(taker, { my_info: null }))).toEqual([]);
    expect(judge(myInfoRule, withHead(without(taker, 'Started'), { my_info: info }))).toEqual([]);
  });
});

describe('the flags of an RPC answer', () => {
  const printed = (members: object, log = taker) => judge(flagsRule, withHead(log, { ...members }));

  it('follow from the events', () => {
    expect(judge(flagsRule, taker)).toEqual([]);
    expect(printed({ is_finished: true, is_success: true, recoverable: false })).toEqual(
      ['is_finished true', 'is_success true', 'recoverable false'].map((text) => verified(null, text)),
    );
    expect(printed({ is_finished: false, is_success: false, recoverable: true })).toEqual(
      ['is_finished', 'is_success', 'recoverable'].map((member) => {
        const finding = [`${member} true`, `${member} false`];
        const [expected = '', found = ''] = member === 'recoverable' ? finding.toReversed() : finding;
        return violated(null, { expected, found });
      }),
    );
  });

  it('are looked for as truth values alone', () => {
    expect(printed({ is_finished: 'true', is_success: null, recoverable: 0 })).toEqual([]);
    expect(printed({ is_success: null }, without(taker, 'Finished'))).toEqual([]);
  });

  it('had another rule for `recoverable` before October 2024', () => {
    const at = (started_at: unknown) => printed({ recoverable: true }, withMembers(taker, 'Started', { started_at }));
    const older = [notCheckable(null, 'recoverable true, perhaps by the rule of an older release')];
    expect(at(1_727_740_799)).toEqual(older);
    expect(at(undefined)).toEqual(older);
    const contradiction = { expected: 'recoverable false', found: 'recoverable true' };
    expect(at(1_727_740_800)).toEqual([violated(null, contradiction)]);
    const old = withMembers(taker, 'Started', { started_at: 1_600_000_000 });
    expect(printed({ is_finished: false }, old)[0]?.status).toBe('violated');
  });
});

describe('prices in US dollars', () => {
  it('stand in the file of a finished and successful swap', () => {
    expect(judge(pricesRule, taker)).toEqual([verified(null, 'finished and successful')]);
    const one = withHead(taker, { maker_coin_usd_price: null });
    expect(judge(pricesRule, one)).toEqual([verified(null, 'finished and successful')]);
    const other = withHead(taker, { taker_coin_usd_price: null });
    expect(judge(pricesRule, other)).toEqual([verified(null, 'finished and successful')]);
    expect(judge(pricesRule, withHead(one, { taker_coin_usd_price: null }))).toEqual([]);
  });

  it('in another file come from a log that was cut or made from another', () => {
    const reason = (found: string) => `prices stand in ${found}, perhaps one that was cut or made out of another`;
    expect(judge(pricesRule, without(taker, 'Finished'))).toEqual([
      notCheckable(null, reason('a log that is not finished')),
    ]);
    const events = taker.events.map((event) =>
      event.type === 'MakerPaymentSpendConfirmed' ? { ...event, type: 'MakerPaymentSpendConfirmFailed' } : event,
    );
    expect(judge(pricesRule, { ...taker, events })).toEqual([notCheckable(null, reason('a log with an error event'))]);
  });
});
