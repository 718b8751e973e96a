import { describe, expect, it } from 'vitest';
import { parseUuid } from '../../../../src/primitives/ids.ts';
import { requestOf } from '../../../support/swap-pair.ts';

import { other, third, watch, watching } from '../../../support/watching-node.ts';

describe('a node that watches', () => {
  it('begins a watch when the taker asks for one, once', async () => {
    const { say, streams, log } = await watching();
    await say(watch);
    await say(watch);
    expect(streams().map(({ stream }) => stream)).toEqual([`watcher/${watch.uuid}`]);
    expect(log.read(`watcher/${watch.uuid}`)[0]?.data).toMatchObject({ watch });
  });

  it('accepts the message of the real node, whose key is in what it has signed', async () => {
    const { say, log } = await watching();
    const told = { ...watch, taker_pub: null, taker_amount: null, maker_amount: null };
    await say(told, { signer: watch.taker_pub });
    expect(log.read(`watcher/${watch.uuid}`)[0]?.data).toMatchObject({
      watch: { ...told, taker_pub: watch.taker_pub },
    });
  });

  it('Q1: ignores a message that another has signed, or that came on the topic of another coin’s takers', async () => {
    const { say, streams } = await watching();
    await say(watch, { signer: other.taker_pub });
    await say({ ...watch, taker_pub: null }, { signer: other.taker_pub });
    await say(watch, { coin: watch.maker_coin });
    await say({ ...watch, lock_duration: 93_600 });
    expect(streams()).toEqual([]);
  });

  it('ignores one of its own swaps', async () => {
    const { say, streams, runtime } = await watching();
    const coins = { maker_coin: watch.maker_coin, taker_coin: watch.taker_coin };
    await runtime.startSwap(requestOf('taker', { uuid: watch.uuid, ...coins }));
    await say(watch);
    expect(streams()).toEqual([]);
  });

  it('Q2: watches a swap although a stranger was first with its uuid, and tells both apart', async () => {
    const { say, streams, runtime } = await watching();
    await say({ ...other, uuid: watch.uuid });
    await say(watch);
    const found = streams().map(({ stream }) => stream);
    expect(found).toHaveLength(2);
    for (const stream of found) expect(parseUuid(stream.split('/')[1] ?? '')).toBeDefined();
    await runtime.pause(watch.uuid);
    const paused = (await runtime.list({ machine: 'watcher' })).map((status) => status.paused);
    expect(paused).toEqual([true, true]);
  });

  it('Q3: watches one swap for each fee', async () => {
    const { say, streams } = await watching();
    await say(watch);
    await say({ ...watch, uuid: other.uuid });
    expect(streams()).toHaveLength(1);
  });

  it('Q3: is not kept from a swap by strangers who name its fee, first and again and again', async () => {
    const { say, streams, log, clock } = await watching({}, { paid: (payer) => payer === watch.taker_pub });
    const stolen = { ...other, taker_fee_hash: watch.taker_fee_hash };
    await say(stolen);
    await say({ ...third, taker_fee_hash: watch.taker_fee_hash });
    await say(watch);
    const stream = `watcher/${watch.uuid}`;
    expect(streams().map((found) => found.stream)).toEqual([stream]);
    expect(log.read(stream).map(({ type }) => type)).toEqual(['WatchRequested', 'TakerFeeValidated']);
    await say({ ...watch, uuid: third.uuid });
    await clock.advance(300_000);
    expect(streams()).toHaveLength(1);
  });

  it('Q3: ignores whoever names a fee that the chain has shown to be another taker’s', async () => {
    const { say, streams, log, clock, runtime, wallets } = await watching();
    for (const wallet of wallets) runtime.addChain({ ...wallet, checkFee: () => ({ ok: true, value: null }) });
    await say(watch);
    await clock.advance(1000);
    expect(log.read(`watcher/${watch.uuid}`).map(({ type }) => type)).toContain('TakerFeeValidated');
    await say({ ...other, taker_fee_hash: watch.taker_fee_hash });
    expect(streams()).toHaveLength(1);
    await say(third);
    expect(streams()).toHaveLength(2);
  });

  it('Q3: has no more open watches than it may have', async () => {
    const { say, streams } = await watching({ most: 1 });
    await say(watch);
    await say(other);
    expect(streams()).toHaveLength(1);
  });

  it('hears the takers of a coin for as long as the coin is active', async () => {
    const { say, streams, runtime, wallets } = await watching();
    const [, taker] = wallets;
    if (taker === undefined) throw new Error('there are two wallets');
    runtime.removeChain(watch.taker_coin);
    await say(watch);
    expect(streams()).toEqual([]);
    runtime.addChain(taker);
    await say(watch);
    expect(streams()).toHaveLength(1);
    await runtime.drain();
    await say(other);
    expect(streams()).toHaveLength(1);
  });

  it('reports a watch and takes orders about it by the uuid of the swap', async () => {
    const { say, runtime, log } = await watching();
    await say(watch);
    expect(await runtime.status(watch.uuid)).toMatchObject({ role: 'watcher', paused: false });
    await runtime.pause(watch.uuid, 'maintenance');
    expect(await runtime.status(watch.uuid)).toMatchObject({ role: 'watcher', paused: true });
    await runtime.retryNow(watch.uuid);
    const types = log.read(`watcher/${watch.uuid}`).map(({ type }) => type);
    expect(types.filter((type) => type === 'OperatorActed')).toHaveLength(2);
  });

  it('is not stopped by an invalid message', async () => {
    const { say, streams } = await watching();
    await say({ ...watch, maker_payment_spend_preimage: 'zz' });
    await say({ ...watch, taker_payment_refund_preimage: 'c002', taker_pub: null }, { signer: watch.taker_pub });
    await say(watch);
    expect(streams()).toHaveLength(1);
  });
});
