import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { p2pkhScript } from '../../src/htlc/index.ts';
import { hash160 } from '../../src/primitives/hash.ts';
import { hexToBytes } from '../../src/primitives/hex.ts';
import { answerOf } from '../../src/testing/contracts/chain/scene.ts';
import type { Twist } from '../support/electrum/crooked.ts';
import { type PaymentScene, type PaymentScenes, paymentScenes, SWAP } from '../support/electrum/payment-scene.ts';
import { scripthash } from '../support/electrum/recount.ts';

let scenes: PaymentScenes;
let scene: PaymentScene;
beforeAll(async () => {
  scenes = await paymentScenes();
});
afterAll(() => scenes.close());
afterEach(() => scene.crooked.servers.close());

describe('an address whose history no server tells, as anyone can make it', () => {
  const tooLarge =
    (script: string): Twist =>
    ([method, hash]) =>
      String(method).startsWith('blockchain.scripthash') && hash === script
        ? new Error('history too large')
        : undefined;

  it('keeps its wallet neither from claiming nor from sending the claim', async () => {
    scene = await scenes.begin('a', 'b');
    const { taker, terms, payment, secret, crooked } = scene;
    const own = Buffer.from(p2pkhScript(hash160(hexToBytes(terms.receiver)))).toString('hex');
    for (const name of ['a', 'b']) crooked.at(name).twist = tooLarge(scripthash(own));
    const view = await answerOf(taker.payment({ terms }));
    expect(view.funding?.confirmations).toBe(2);
    const request = { purpose: 'claim', terms, funding: payment, secret, urgency: 0, replaces: null } as const;
    const claim = await answerOf(taker.prepare(request, SWAP));
    expect(await answerOf(taker.broadcast(claim))).toBe('sent');
    const dearer = await answerOf(taker.prepare({ ...request, urgency: 2, replaces: claim }, SWAP));
    expect(Number(dearer.fee)).toBeGreaterThan(Number(claim.fee));
    expect(await taker.balances()).toMatchObject({ ok: false, fault: { kind: 'unknown' } });
  });
});

describe('of three servers one that withholds', () => {
  it.each(['a', 'b', 'c'])('the bytes of transactions, %s, hides nothing', async (name) => {
    scene = await scenes.begin('a', 'b', 'c');
    const { taker, terms, crooked } = scene;
    crooked.at(name).twist = ([method]) =>
      method === 'blockchain.transaction.get' ? new Error('server busy - request timed out') : undefined;
    const view = await answerOf(taker.payment({ terms }));
    expect(view.funding?.confirmations).toBe(2);
    expect((await taker.balances()).ok).toBe(true);
  });
});
