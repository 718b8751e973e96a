import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/ports/chain.ts';
import type { WatcherMessage } from '../../../../src/ports/peers.ts';
import { type PendingLimits, PendingWatches } from '../../../../src/runtime/watcher/pending.ts';
import { watchedSwap } from '../../../machines/watcher/support.ts';
import { listening, opaque, other, third, watch, watching } from '../../../support/watching-node.ts';

/** A request of nobody who has paid: another swap, another fee, and of another key where one is named. */
function junk(index: number, taker_pub: string | null = null): WatcherMessage {
  const digits = index.toString(16).padStart(12, '0');
  return opaque({
    ...{ ...other, uuid: `00000000-0000-4000-8000-${digits}`, taker_fee_hash: digits.padStart(64, 'e') },
    ...{ taker_payment_hash: digits.padStart(64, 'a'), maker_payment_hash: digits.padStart(64, 'b') },
    taker_pub: taker_pub ?? `02${digits.padStart(64, 'c')}`,
  });
}

describe('Q1: before the chain shows that a taker has paid its fee', () => {
  it('nothing of its request is in the log, and from then on all of it is', async () => {
    let paid = false;
    const { say, streams, log, clock } = await watching({}, { paid: () => paid });
    await say(watch);
    expect(log.end()).toBe(0);
    paid = true;
    await clock.advance(9_999);
    expect(log.end()).toBe(0);
    await clock.advance(1);
    expect(log.read(streams()[0]?.stream ?? '').map(({ type }) => type)).toEqual([
      'WatchRequested',
      'TakerFeeValidated',
    ]);
  });

  it('it is asked for as often as a fee is looked for, and forgotten then', async () => {
    const { said, logger } = listening();
    const { say, asked, log, clock } = await watching({}, { paid: () => false, logger });
    await say(watch);
    for (let minute = 0; minute < 30; minute++) await clock.advance(60_000);
    expect([asked.length, log.end()]).toEqual([7, 0]);
    expect(said).toEqual([{ message: 'watch refused', uuid: watch.uuid, coin: watch.taker_coin, why: 'unpaidFee' }]);
    await say(watch);
    expect(asked).toHaveLength(8);
  });

  it('its repeated message is one request', async () => {
    const { say, asked } = await watching({}, { paid: () => false });
    for (let times = 0; times < 5; times++) await say(watch);
    expect(asked).toHaveLength(1);
  });

  it('ignores what it has signed for another secret, or for a payment that the maker can refund first', async () => {
    const { said, logger } = listening();
    const { say, asked } = await watching({}, { logger });
    await say({ ...watch, secret_hash: 'ab'.repeat(20) });
    await say({ ...watch, maker_payment_spend_preimage: other.maker_payment_spend_preimage });
    await say({ ...watch, taker_payment_refund_preimage: watch.maker_payment_spend_preimage });
    const late = watchedSwap({ lockDuration: 4 * 7800 }).watch;
    await say({ ...watch, taker_payment_refund_preimage: late.taker_payment_refund_preimage });
    // The same keys and secret: the maker's lock of the shorter swap ends before the taker's of the longer one.
    const { maker_payment_spend_preimage } = watch;
    await say({ ...late, maker_payment_spend_preimage });
    expect(asked).toEqual([]);
    expect(said.map((line) => (line as { readonly why: string }).why)).toEqual(Array(5).fill('foreignTerms'));
  });
});

describe('Q6: requests of strangers', () => {
  it.each([
    ['of one key', other.taker_pub as string],
    ['each of a key of its own', null],
  ])('500 times, %s, keep nobody from a watch, and do not reach the log', async (_, key) => {
    const { log, network, clock, streams, runtime } = await watching(
      {},
      { paid: (payer) => payer === watch.taker_pub },
    );
    const peer = network.peer('b2'.repeat(32));
    const say = (message: WatcherMessage): void =>
      void peer.send(
        `swpwtchr/${watch.taker_coin}`,
        { kind: 'watcher', watch: message },
        { signer: `${message.taker_pub}` },
      );
    for (let index = 0; index < 250; index++) say(junk(index, key));
    say(watch);
    for (let index = 250; index < 500; index++) say(junk(index, key));
    await clock.advance(0);
    expect(streams().map(({ stream }) => stream)).toEqual([`watcher/${watch.uuid}`]);
    await clock.advance(3_600_000);
    expect(streams()).toHaveLength(1);
    expect(log.read(`watcher/${watch.uuid}`)).toHaveLength(log.end());
    expect(await runtime.list({})).toHaveLength(1);
  });

  it('take no place of a watch that may begin', async () => {
    const { say, streams } = await watching({ most: 1 }, { paid: (payer) => payer === watch.taker_pub });
    for (let index = 0; index < 20; index++) await say(junk(index));
    await say(watch);
    expect(streams()).toHaveLength(1);
    await say(third);
    expect(streams()).toHaveLength(1);
  });
});

describe('Q6: if there is no room', () => {
  const crowded = async (limits: Partial<PendingLimits>) => {
    const { clock } = await watching();
    const dropped: string[] = [];
    const paid: string[] = [];
    const answers: ((answer: Answer<string | null>) => void)[] = [];
    const chain = { checkFee: () => new Promise<Answer<string | null>>((resolve) => answers.push(resolve)) };
    const quiet = { asked() {}, late() {}, decided() {} };
    const policy = { callTimeout: 30, feeCheck: { retries: 6, pause: 10 } };
    const redactor = { text: (text: string) => text };
    const gates = new Map([[watch.taker_coin, { chain }]]);
    const loop = { gates, steady: clock, metrics: quiet, logger: {}, redactor, policy };
    const pending = new PendingWatches(() => loop as never, {
      limits,
      onPaid: ({ key }) => void paid.push(key),
      onDropped: ({ key }, why) => void dropped.push(`${key} ${why}`),
    });
    const add = (key: string, from = key) => pending.add({ key, from, watch });
    return { clock, dropped, paid, answers, add, pending };
  };

  it('the one that the chain has denied goes, even if it is not the oldest', async () => {
    const { add, answers, dropped, clock, pending } = await crowded({ most: 3, atOnce: 2 });
    for (const key of ['a', 'b', 'c']) add(key);
    answers[1]?.({ ok: true, value: 'there is no such fee' });
    await clock.advance(0);
    add('d');
    expect([dropped, pending.size]).toEqual([['b crowdedOut'], 3]);
    add('e');
    expect([dropped, pending.size]).toEqual([['b crowdedOut', 'a crowdedOut'], 3]);
  });

  it('for a key, its own oldest goes, and no other’s', async () => {
    const { add, dropped } = await crowded({ most: 9, each: 2 });
    add('a', 'one');
    add('b', 'other');
    for (const key of ['c', 'd', 'e']) add(key, 'one');
    expect(dropped).toEqual(['a crowdedOut', 'c crowdedOut']);
    expect(add('e', 'one')).toBe(false);
  });

  it('an answer to a request that is gone changes nothing', async () => {
    const { add, answers, paid, dropped, clock } = await crowded({ most: 1 });
    add('a');
    add('b');
    answers[0]?.({ ok: true, value: null });
    await clock.advance(0);
    expect([paid, dropped]).toEqual([[], ['a crowdedOut']]);
    answers[1]?.({ ok: true, value: null });
    await clock.advance(0);
    expect(paid).toEqual(['b']);
  });
});

describe('Q7: a chain that does not answer', () => {
  const silent = async () => {
    const waiting: ((answer: Answer<string | null>) => void)[] = [];
    const node = await watching();
    const [, taker] = node.wallets;
    if (taker === undefined) throw new Error('there are two wallets');
    const checkFee = () => new Promise<Answer<string | null>>((resolve) => waiting.push(resolve));
    node.runtime.addChain({ ...taker, checkFee } as never);
    return { ...node, waiting };
  };

  it('is asked four questions at a time, and one at a time once it has left four unanswered', async () => {
    const { say, clock, waiting } = await silent();
    for (let index = 0; index < 12; index++) await say(junk(index));
    expect(waiting).toHaveLength(4);
    await clock.advance(30_000);
    expect(waiting).toHaveLength(5);
    await clock.advance(30_000);
    expect(waiting).toHaveLength(6);
    for (const answer of waiting.splice(0)) answer({ ok: true, value: 'there is no such fee' });
    await clock.advance(0);
    expect(waiting).toHaveLength(4);
  });

  it('delays no request whose chain answers, and shows in the end who has paid', async () => {
    const { say, streams, clock, waiting } = await silent();
    await say(watch);
    waiting[0]?.({ ok: false, fault: { kind: 'unavailable', message: 'no line' } });
    await clock.advance(10_000);
    expect(waiting).toHaveLength(2);
    waiting[1]?.({ ok: true, value: null });
    await clock.advance(0);
    expect(streams()).toHaveLength(1);
  });

  it('is dropped with everything that waits for it when its coin goes', async () => {
    const { say, streams, clock, waiting, runtime } = await silent();
    await say(watch);
    runtime.removeChain(watch.taker_coin);
    waiting[0]?.({ ok: true, value: null });
    await clock.advance(3_600_000);
    expect([streams(), waiting.length]).toEqual([[], 1]);
  });
});

describe('the block from which a watch makes chains read', () => {
  const begunAt = async (heights: Readonly<Record<'maker' | 'taker', number | null>>) => {
    const node = await watching();
    const [maker, taker] = node.wallets;
    for (const [wallet, height] of [
      [maker, heights.maker],
      [taker, heights.taker],
    ] as const) {
      if (wallet === undefined) throw new Error('there are two wallets');
      node.runtime.addChain({ ...wallet, height: () => height as never });
    }
    await node.say(watch);
    const [summary] = node.streams();
    const [first] = summary === undefined ? [] : node.log.read(summary.stream);
    const told = (first?.data as { readonly watch: typeof watch } | undefined)?.watch;
    return told === undefined ? null : [told.maker_coin_start_block, told.taker_coin_start_block];
  };

  it('is the one that its taker names, if its payments can be there', async () => {
    expect(await begunAt({ maker: 2010, taker: 1015 })).toEqual([2000, 1000]);
    expect(await begunAt({ maker: 1990, taker: 998 })).toEqual([2000, 1000]);
  });

  it('is never before its swap can have begun, whatever a stranger names', async () => {
    const [maker, taker] = (await begunAt({ maker: 900_000, taker: 700_000 })) ?? [];
    // Twice two locks and the six hours of the watch after them, in blocks of a minute, and a hundred more.
    const most = 2 * ((2 * 7800 + 21_600 + 60) / 60) + 100;
    expect([900_000 - (maker ?? 0), 700_000 - (taker ?? 0)]).toEqual([most, most]);
  });

  it('is not guessed of a chain that was never looked at', async () => {
    expect(await begunAt({ maker: null, taker: 1015 })).toBeNull();
  });
});
