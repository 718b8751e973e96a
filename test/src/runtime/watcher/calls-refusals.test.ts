import { describe, expect, it } from 'vitest';
import { createInProcessNetwork } from '../../../../src/peers/in-process/index.ts';
import { watchedSwap } from '../../../machines/watcher/support.ts';
import { requestOf } from '../../../support/swap-pair.ts';

import { listening, opaque, other, realWallet, third, watch, watching } from '../../../support/watching-node.ts';

describe('what a node answers to a message that it ignores', () => {
  const refusal = { message: 'watch refused', uuid: watch.uuid, coin: watch.taker_coin };

  it('is why, once for each', async () => {
    const { said, logger } = listening();
    const { say } = await watching({ most: 1 }, { logger });
    await say(other);
    said.length = 0;
    await say(watch);
    await say({ ...watch, maker_coin: 'ABSENT' });
    await say({ ...watch, taker_payment_refund_preimage: 'c002', taker_pub: null }, { signer: watch.taker_pub });
    await say(watch, { coin: watch.maker_coin });
    expect(said).toEqual([
      { ...refusal, why: 'full' },
      { ...refusal, why: 'full' },
      { ...refusal, why: 'unreadable' },
      { ...refusal, coin: watch.maker_coin, why: 'foreignTopic' },
    ]);
  });

  it('is ignored if a taker only repeats itself', async () => {
    const { said, logger } = listening();
    const { say } = await watching({}, { logger });
    await say(watch);
    said.length = 0;
    await say(watch);
    expect(said).toEqual([]);
  });

  it('is that a coin is inactive', async () => {
    const { said, logger } = listening();
    const { say } = await watching({}, { logger });
    await say({ ...watch, maker_coin: 'ABSENT' });
    expect(said).toEqual([{ ...refusal, why: 'coinNotActive' }]);
  });

  it('is that the chain does not support such scripts, and no watch begins', async () => {
    const { said, logger } = listening();
    const witness = watchedSwap({ seed: 'watch', takerCoin: 'LTC', schemes: { maker: 'p2sh', taker: 'p2wsh' } }).watch;
    const { say, streams } = await watching(
      {},
      { logger, chains: [realWallet('DOC', 'p2sh'), realWallet('LTC', 'p2sh')] },
    );
    await say(witness);
    expect(said).toEqual([{ ...refusal, coin: 'LTC', why: 'foreignScheme' }]);
    expect(await streams()).toEqual([]);
    const other = await watching({}, { chains: [realWallet('DOC', 'p2sh'), realWallet('LTC', 'p2wsh')] });
    await other.say(witness);
    expect(await other.streams()).toHaveLength(1);
  });

  it('is that the swap is its own, rather than that it already watches enough', async () => {
    const { said, logger } = listening();
    const { say, runtime } = await watching({ most: 0 }, { logger });
    const coins = { maker_coin: watch.maker_coin, taker_coin: watch.taker_coin };
    await runtime.startSwap(requestOf('taker', { uuid: watch.uuid, ...coins }));
    said.length = 0;
    await say(watch);
    expect(said).toContainEqual({ ...refusal, why: 'ownSwap' });
  });
});

describe('a node whose coins no third party can spend', () => {
  it('does not listen to takers of such a coin', async () => {
    const topics: string[] = [];
    const network = createInProcessNetwork();
    const peer = network.peer('e5'.repeat(32));
    const peers = {
      ...peer,
      subscribe: (topic: string, hear: Parameters<typeof peer.subscribe>[1]) => {
        topics.push(topic);
        return peer.subscribe(topic, hear);
      },
    };
    const { runtime, wallets } = await watching({}, { peers });
    expect(topics.toSorted()).toEqual(
      [watch.maker_coin, watch.taker_coin].map((coin) => `swpwtchr/${coin}`).toSorted(),
    );
    topics.length = 0;
    const [wallet] = wallets;
    if (wallet === undefined) throw new Error('there are two wallets');
    runtime.addChain({ ...wallet, traits: { ...wallet.traits, coin: 'LONELY', watchers: false } });
    runtime.addChain({ ...wallet, traits: { ...wallet.traits, coin: 'WATCHED' } });
    expect(topics).toEqual(['swpwtchr/WATCHED']);
  });

  it('continues if a network accepts no subscription, and says so', async () => {
    const { said, logger } = listening();
    const network = createInProcessNetwork();
    const peers = {
      ...network.peer('e5'.repeat(32)),
      subscribe: () => {
        throw new RangeError('closed');
      },
    };
    const { runtime } = await watching({}, { logger, peers });
    expect(await runtime.list({ machine: 'watcher' })).toEqual([]);
    for (const coin of [watch.maker_coin, watch.taker_coin]) {
      expect(said).toContainEqual({ message: 'cannot listen', topic: `swpwtchr/${coin}`, reason: 'RangeError' });
    }
  });
});

it('Q3: two watches that are requested at the same time also count', async () => {
  const { say, streams } = await watching({ most: 1 });
  await Promise.all([say(watch), say(other)]);
  expect(streams()).toHaveLength(1);
});

describe('what takers request at the same time', () => {
  const begun = async (...messages: readonly Parameters<Awaited<ReturnType<typeof watching>>['say']>[0][]) => {
    const { say, streams } = await watching({ most: 9 });
    await Promise.all(messages.map((message) => say(message)));
    return streams().length;
  };

  it('Q2, Q3: is one watch for each swap, taker and fee', async () => {
    expect(await begun(watch, watch)).toBe(1);
    expect(await begun(watch, { ...watch, taker_fee_hash: other.taker_fee_hash })).toBe(1);
    expect(await begun(watch, { ...watch, uuid: other.uuid })).toBe(1);
  });

  it('Q2: makes as many watches as there are different swaps, takers, and named payments', async () => {
    expect(await begun(watch, other)).toBe(2);
    expect(await begun(watch, { ...other, uuid: watch.uuid })).toBe(2);
    expect(await begun(watch, opaque({ ...other, taker_pub: watch.taker_pub }))).toBe(2);
  });
});

describe('what a taker requests later', () => {
  it('Q2: is another watch if the swap and everything that it names differ', async () => {
    const { say, streams } = await watching();
    await say(watch);
    await say(opaque({ ...other, taker_pub: watch.taker_pub }));
    expect(streams()).toHaveLength(2);
  });

  it('Q2: is distinguished from what any stranger asked for under its uuid', async () => {
    const { say, streams } = await watching();
    for (const message of [other, third, watch]) await say({ ...message, uuid: watch.uuid });
    expect(new Set(streams().map(({ stream }) => stream)).size).toBe(3);
  });

  it('Q3: has room again once another watch has stopped, which does not start again', async () => {
    const { say, streams, clock } = await watching({ most: 1 });
    await say(watch);
    // Its payment was never seen, and the time to confirm it is over.
    await clock.advance(6_400_000);
    await say(watch);
    expect(streams()).toHaveLength(1);
    await say(other);
    expect(streams()).toHaveLength(2);
  });

  it('is dropped if the swap is its own, and takes no room', async () => {
    const { said, logger } = listening();
    const { say, streams, runtime, clock } = await watching({ most: 1 }, { logger });
    const coins = { maker_coin: watch.maker_coin, taker_coin: watch.taker_coin };
    await runtime.startSwap(requestOf('taker', { uuid: watch.uuid, ...coins }));
    await clock.advance(3_600_000);
    said.length = 0;
    await say(watch);
    expect(said).toContainEqual({ message: 'watch refused', uuid: watch.uuid, coin: watch.taker_coin, why: 'ownSwap' });
    await say(other);
    expect(streams()).toHaveLength(1);
  });
});

describe('an invalid request to watch', () => {
  it('is reported with the faulty member', async () => {
    const { said, logger } = listening();
    const { send } = await watching({}, { logger });
    await send({ kind: 'negotiated', accepted: true });
    await send({ kind: 'watcher', watch: { ...watch, taker_coin: 7 as never } });
    expect(said).toEqual([
      { message: 'not a watcher message', coin: watch.taker_coin, path: '/kind' },
      { message: 'not a watcher message', coin: watch.taker_coin, path: '/watch/taker_coin' },
    ]);
  });

  it('does not start while the log is unreadable, and says so', async () => {
    const { said, logger } = listening();
    const node = await watching();
    const log = {
      ...node.log,
      read: () => {
        throw new RangeError('no disk');
      },
    };
    const { say } = await watching({}, { logger, log });
    said.length = 0;
    await say(watch);
    expect(said).toEqual([
      { message: 'watch not begun', uuid: watch.uuid, coin: watch.taker_coin, reason: 'LOG_UNAVAILABLE' },
    ]);
  });
});
