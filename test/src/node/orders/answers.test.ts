import { describe, expect, it } from 'vitest';
import { Answers } from '../../../../src/node/orders/answers.ts';
import type { MakerMatch } from '../../../../src/node/orders/model.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { REQUEST, RESERVED } from '../../../support/order-messages.ts';

const match = (name: string, at = 1000, order: string = RESERVED.maker_order_uuid): MakerMatch => ({
  request: { ...REQUEST, uuid: name },
  from: `key of ${name.slice(0, 1)}`,
  reserved: { ...RESERVED, taker_order_uuid: name, maker_order_uuid: order },
  connected: false,
  last_updated: millisOf(at),
});
const asker = ({ request: { uuid }, from }: MakerMatch) => ({ uuid, from });

describe('answers that wait for takers', () => {
  it('X5: are distinguished by key and uuid', () => {
    const answers = new Answers();
    const [own, copy] = [match('a1'), { ...match('a1'), from: 'a stranger' }];
    answers.keep(copy);
    answers.keep(own);
    expect(answers.get(asker(own))).toBe(own);
    answers.drop(asker(copy));
    expect(answers.get(asker(own))).toBe(own);
    expect(answers.get(asker(copy))).toBeUndefined();
  });

  it('never exceed the limit: the oldest goes', () => {
    const answers = new Answers(3);
    for (const name of ['a1', 'b1', 'a2', 'b1', 'c1']) answers.keep(match(name));
    expect(['a1', 'b1', 'a2', 'c1'].map((name) => answers.get(asker(match(name))) !== undefined)).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(['a', 'b', 'c'].map((name) => answers.countOf(`key of ${name}`))).toEqual([1, 1, 1]);
  });

  it('end half a minute after they were given, in their order', () => {
    const answers = new Answers();
    answers.keep(match('a1', 1000));
    answers.keep(match('b1', 3000, 'another order'));
    expect(answers.next()).toBe(31_000);
    answers.expire(millisOf(31_000));
    expect(answers.next()).toBe(33_000);
    expect(answers.of(RESERVED.maker_order_uuid)).toEqual([]);
    expect(answers.of('another order')).toHaveLength(1);
    answers.expire(millisOf(33_000));
    expect(answers.next()).toBe(Number.POSITIVE_INFINITY);
    expect(answers.countOf('key of b')).toBe(0);
  });
});
