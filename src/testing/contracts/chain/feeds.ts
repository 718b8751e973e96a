import type { FeedNews } from '../../../ports/chain.ts';
import { type Check, expectEqual, expectThat, isHeard, paymentSeenBy, sentPayment, termsOf } from './scene.ts';

const NEWS: ReadonlySet<unknown> = new Set(['changed', 'alive', 'broken', undefined] satisfies (
  | FeedNews
  | undefined
)[]);

/** A feed that promises to be complete; of one that does not, nothing is asked. */
export const feedCases: readonly Check[] = [
  {
    title: 'reports each block, and every watched payment that changed, if its feed claims to be complete',
    check: async (fixture) => {
      const { receiver, confirm } = fixture;
      const { feed } = receiver.traits;
      if (feed === undefined) return;
      expectThat(feed.heartbeat > 0 && Number.isFinite(feed.heartbeat), 'its heartbeat is a number of seconds above 0');
      const heard: (FeedNews | undefined)[] = [];
      const subscription = receiver.subscribe((news) => void heard.push(news));
      const changes = () => heard.filter((news) => news === undefined || news === 'changed').length;
      const told = async (what: string, happen: () => Promise<unknown> | unknown) => {
        const before = changes();
        await happen();
        expectThat(await isHeard(fixture, () => changes() > before), `${what} is reported as changed`);
      };
      await fixture.nextNews?.();
      const terms = termsOf(fixture);
      expectEqual((await paymentSeenBy(receiver, terms)).funding, null, 'the funding before it is made');
      await told('a pending payment', () => sentPayment(fixture, terms, { confirmations: 0 }));
      for (let block = 1; block <= 30; block += 1) await told(`block ${block} after a payment`, () => confirm(1));
      expectThat(
        heard.every((news) => NEWS.has(news)),
        'the feed reports nothing but changed, alive and broken',
      );
      subscription.close();
    },
  },
];
