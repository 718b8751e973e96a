import { describe, expect, it } from 'vitest';
import { createSubscribers, leave, type Subscriber, subscribe } from '../../../../src/rpc/electrum/subscribers.ts';

const subscriber = (): Subscriber => ({ headers: false, statuses: new Map(), tell() {} });

describe('subscribers', () => {
  it('leave nothing behind, and are not subscribed by a call that ends after they left', () => {
    const subscribers = createSubscribers();
    const [one, other] = [subscriber(), subscriber()];
    for (const each of [one, other]) subscribers.all.add(each);
    subscribe(subscribers, one, { scripthash: 'a', status: null });
    subscribe(subscribers, other, { scripthash: 'a', status: 'x' });
    subscribe(subscribers, one, { scripthash: 'b', status: null });
    leave(subscribers, one);
    expect([...(subscribers.byScript.get('a') ?? [])]).toEqual([other]);
    subscribe(subscribers, one, { scripthash: 'c', status: null });
    leave(subscribers, other);
    expect([subscribers.byScript.size, subscribers.all.size, one.statuses.size]).toEqual([0, 0, 0]);
  });
});
