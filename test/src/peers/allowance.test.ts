import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createTopicAccounts,
  drawMessage,
  drawWeight,
  mayCome,
  openAccount,
  type TopicAllowances,
} from '../../../src/peers/allowance.ts';
import type { Millis } from '../../../src/primitives/time.ts';

const at = (seconds: number) => (1_700_000_000_000 + seconds * 1000) as Millis;
const ALLOWANCE = { messages: { burst: 3, perSecond: 0.25 }, weight: { burst: 100, perSecond: 7 } };

describe('an account', () => {
  const drawer = () => {
    const account = openAccount(ALLOWANCE, at(0));
    return {
      account,
      message: (seconds: number) => drawMessage(account, { allowance: ALLOWANCE, now: at(seconds) }),
      weight: (seconds: number, weight: number) =>
        drawWeight(account, { allowance: ALLOWANCE, now: at(seconds), weight }),
    };
  };

  it('gives its burst at once, and then what each second brings', () => {
    const { message } = drawer();
    expect([0, 0, 0, 0, 3.9, 4, 4, 8, 9].map(message)).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
      false,
      true,
      false,
    ]);
    expect([999, 999, 999, 999].map(message)).toEqual([true, true, true, false]);
  });

  it('charges each sender by its own measure, and nothing for what is too much', () => {
    const { weight } = drawer();
    expect([weight(0, 101), weight(0, 100), weight(0, 1), weight(1, 8), weight(1, 7)]).toEqual([
      false,
      true,
      false,
      false,
      true,
    ]);
    expect(weight(1000, 100)).toBe(true);
  });

  it('says what may come without drawing it', () => {
    const { account, message } = drawer();
    const draw = { allowance: ALLOWANCE, now: at(0) };
    expect([mayCome(account, draw), mayCome(account, draw), mayCome(account, draw), mayCome(account, draw)]).toEqual(
      Array(4).fill(true),
    );
    expect([0, 0, 0].map(message)).toEqual([true, true, true]);
    expect(mayCome(account, draw)).toBe(false);
  });

  it('gives nothing for a clock that is set back, and waits for no hour that it lost', () => {
    const { message } = drawer();
    expect([0, 0, 0, -3600, -3600].map(message)).toEqual([true, true, true, false, false]);
    expect(message(-3596)).toBe(true);
  });

  it('never gives more than the burst and its rate, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 200 }), (steps) => {
        const { message } = drawer();
        let now = 0;
        let forward = 0;
        let given = 0;
        for (const step of steps) {
          now += step;
          forward += Math.max(0, step);
          if (message(now)) given += 1;
        }
        expect(given).toBeLessThanOrEqual(3 + forward * 0.25);
      }),
    );
  });
});

const TOPIC: TopicAllowances = {
  each: { messages: { burst: 4, perSecond: 0.5 }, weight: { burst: 50, perSecond: 1 } },
  all: { messages: { burst: 20, perSecond: 2 }, weight: { burst: 300, perSecond: 10 } },
  most: 6,
};

const count = (times: number, draw: () => boolean) => Array.from({ length: times }, draw).filter(Boolean).length;

describe('a topic on which anybody may speak', () => {
  it('M4: lets a sender use up its own share, and nothing of the common one', () => {
    const { message } = createTopicAccounts(TOPIC, at(0));
    expect(count(1000, () => message('loud', at(0)))).toBe(4);
    expect(['a', 'b', 'c', 'd'].map((from) => count(9, () => message(from, at(0))))).toEqual([4, 4, 4, 4]);
  });

  it('M4: hears a sender that was silent so far while another never stops', () => {
    const { message } = createTopicAccounts(TOPIC, at(0));
    for (let second = 0; second < 600; second++) {
      count(50, () => message('loud', at(second)));
      if (second % 60 === 0) expect(message('honest', at(second))).toBe(true);
    }
  });

  it('M4: lets as many through as the common rate, however many keys somebody makes', () => {
    const { message, size } = createTopicAccounts(TOPIC, at(0));
    let key = 0;
    const minted = () => count(1000, () => message(`key ${key++}`, at(0)));
    expect(minted()).toBe(20);
    expect(minted()).toBe(0);
    expect(count(1000, () => message(`key ${key++}`, at(5)))).toBe(10);
    expect(size()).toBeLessThanOrEqual(6);
  });

  it('M5: remembers no more senders than it may, and forgets the longest silent one first', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(40), fc.nat(3)), { maxLength: 300 }), (sent) => {
        const { message, size } = createTopicAccounts(TOPIC, at(0));
        let now = 0;
        for (const [from, pause] of sent) {
          now += pause;
          message(`key ${from}`, at(now));
          expect(size()).toBeLessThanOrEqual(TOPIC.most);
        }
      }),
    );
    const { message } = createTopicAccounts(TOPIC, at(0));
    for (let turn = 0; turn < 4; turn++) message('loud', at(0));
    for (const from of ['a', 'b', 'c', 'd', 'e']) message(from, at(0));
    expect(message('loud', at(0))).toBe(false);
    message('f', at(0));
    message('g', at(0));
    expect(message('loud', at(0))).toBe(true);
  });

  it('bounds the weight of each, and of all', () => {
    const { weight } = createTopicAccounts(TOPIC, at(0));
    const given = { weight: 50, now: at(0) };
    expect([weight('a', given), weight('a', given)]).toEqual([true, false]);
    expect(['b', 'c', 'd', 'e', 'f', 'g'].map((from) => weight(from, given))).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
  });
});
