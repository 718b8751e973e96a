import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { madeOf } from '../../src/chains/utxo/made.ts';
import { concatBytes, encodeTransaction, p2pkhScript, parseScript, pushData } from '../../src/htlc/index.ts';
import { hash160 } from '../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../src/primitives/hex.ts';
import { answerOf } from '../../src/testing/contracts/chain/scene.ts';
import { stuckAt, type Twist, withHistories } from '../support/electrum/crooked.ts';
import { type PaymentScene, type PaymentScenes, paymentScenes, SWAP } from '../support/electrum/payment-scene.ts';
import { scripthash } from '../support/electrum/recount.ts';

let scenes: PaymentScenes;
let scene: PaymentScene;
beforeAll(async () => {
  scenes = await paymentScenes();
});
afterAll(() => scenes.close());
afterEach(() => scene.crooked.servers.close());

describe('an address whose history no server reports, which anyone can bring about', () => {
  const tooLarge =
    (script: string): Twist =>
    ([method, hash]) =>
      String(method).startsWith('blockchain.scripthash') && hash === script
        ? new Error('history too large')
        : undefined;

  it('does not keep its wallet from claiming, or from sending the claim', async () => {
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

describe('of three servers one that keeps', () => {
  const said: readonly (readonly [string, Twist])[] = [
    ['saying that it is busy', ([method]) => (method === 'blockchain.transaction.get' ? new Error('busy') : undefined)],
    ['sending nothing that can be read', ([method]) => (method === 'blockchain.transaction.get' ? 'none' : undefined)],
  ];

  it.each(said)('%s about an unknown transaction keeps no claim from going out', async (_, twist) => {
    scene = await scenes.begin('a', 'b', 'c');
    const { taker, terms, payment, secret, crooked } = scene;
    crooked.at('a').twist = twist;
    const request = { purpose: 'claim', terms, funding: payment, secret, urgency: 0, replaces: null } as const;
    const claim = await answerOf(taker.prepare(request, SWAP));
    expect(await answerOf(taker.broadcast(claim))).toBe('sent');
    await scenes.chain.mine(1);
    crooked.at('a').twist = null;
    expect((await answerOf(taker.payment({ terms }))).spend).toMatchObject({ how: 'secret', secret });
  });

  it('changing its headers is left alone, and the others are asked', async () => {
    scene = await scenes.begin('a', 'b', 'c');
    const { taker, terms, crooked } = scene;
    let times = 0;
    crooked.at('a').twist = async (call, honest) => {
      if (call[0] !== 'blockchain.block.header') return undefined;
      times += 1;
      const header = Buffer.from(String(await honest(call)), 'hex');
      header.writeUInt32LE(times, 100);
      return header.toString('hex');
    };
    expect((await answerOf(taker.payment({ terms }))).funding?.confirmations).toBe(2);
    expect(crooked.alarms).toEqual([expect.stringMatching(/^a:1 .*changed/)]);
  });

  it('that takes back its last block while it is asked for proofs is also left alone', async () => {
    scene = await scenes.begin('a', 'b', 'c');
    const { taker, terms, crooked } = scene;
    let isAsked = false;
    crooked.at('a').twist = async (call, honest) => {
      const [method] = call;
      if (method === 'blockchain.transaction.get_merkle') {
        isAsked = true;
        return { merkle: [], pos: 0 };
      }
      if (method !== 'blockchain.headers.subscribe' || !isAsked) return undefined;
      isAsked = false;
      const told = (await honest(call)) as { readonly height: number; readonly hex: string };
      const height = Number(told.height) - 1;
      return { height, hex: await honest(['blockchain.block.header', height]) };
    };
    expect((await answerOf(taker.payment({ terms }))).funding?.confirmations).toBe(2);
    expect(crooked.alarms).toEqual([expect.stringMatching(/^a:1 .*changed/)]);
  });
});

it('a chain that two agreed on does not get shorter because one of them is slow and another one lags', async () => {
  scene = await scenes.begin('a', 'b', 'c');
  const { taker, terms, crooked, clock } = scene;
  const settled = await answerOf(taker.payment({ terms }));
  crooked.at('a').twist = stuckAt(settled.height - 6);
  crooked.at('c').until = new Promise(() => {});
  const asked = Promise.resolve(taker.payment({ terms }));
  let answer: Awaited<typeof asked> | undefined;
  void asked.then((value) => {
    answer = value;
  });
  const patience = async () => {
    await clock.advance(20);
    return answer;
  };
  await expect.poll(patience, { interval: 2, timeout: 20_000 }).toBeDefined();
  // One of two says so: that is no answer, and it carries what is known.
  expect(answer).toMatchObject({ ok: false, fault: { kind: 'unavailable', doubtful: settled } });
  crooked.at('c').until = null;
  crooked.at('a').twist = null;
  expect(await answerOf(taker.payment({ terms }))).toEqual(settled);
});

it('a server that fills a history with true transactions of others is left alone before it has proven them', async () => {
  scene = await scenes.begin('a', 'b', 'c');
  const { taker, terms, crooked } = scene;
  const settled = await answerOf(taker.payment({ terms }));
  const strange: { readonly tx_hash: string; readonly height: number }[] = [];
  for (let height = 1; height <= settled.height - 3; height++) {
    const [hash] = await scenes.chain.client.batch([['getblockhash', height]]);
    const [block] = await scenes.chain.client.batch([
      ['getblock', hash !== undefined && 'result' in hash ? hash.result : ''],
    ]);
    const { tx } = (block !== undefined && 'result' in block ? block.result : {}) as { readonly tx: readonly string[] };
    for (const tx_hash of tx) if (tx_hash !== scene.payment.tx_hash) strange.push({ tx_hash, height });
  }
  expect(strange.length).toBeGreaterThan(10);
  crooked.at('a').twist = withHistories((all) => [...all, ...strange]);
  const proofs = () => crooked.at('a').calls.filter(([method]) => method === 'blockchain.transaction.get_merkle');
  const before = proofs().length;
  expect(await answerOf(taker.payment({ terms }))).toEqual(settled);
  expect(crooked.alarms).toEqual([expect.stringMatching(/^a:1 .*to which it does not belong/)]);
  expect(proofs().length).toBe(before);
});

describe('what a look asks servers for', () => {
  const subscribed = () => {
    const { calls } = scene.crooked.at('a');
    const last = calls.map(([method]) => method).lastIndexOf('blockchain.headers.subscribe');
    return calls.slice(last).filter(([method]) => method === 'blockchain.scripthash.subscribe').length;
  };

  it('does not grow with payments that nobody asks about any more, and they are found again', async () => {
    scene = await scenes.begin('a', 'b');
    const { taker, terms, payment, clock } = scene;
    await answerOf(taker.balances());
    const settled = await answerOf(taker.payment({ terms }));
    await answerOf(taker.transaction(payment.tx_hash));
    const before = subscribed();
    await clock.advance(86_400_000);
    await answerOf(taker.balances());
    expect(subscribed()).toBe(before);
    await clock.advance(60_000);
    await answerOf(taker.balances());
    expect(subscribed()).toBe(before - 1);
    expect(await answerOf(taker.payment({ terms }))).toEqual(settled);
    expect(subscribed()).toBe(before);
  });
});

it('a claim that shows its secret beside another zero is relayed, and read as one by both sides', async () => {
  scene = await scenes.begin('a', 'b');
  const { taker, terms, payment, secret } = scene;
  const request = { purpose: 'claim', terms, funding: payment, secret, urgency: 0, replaces: null } as const;
  const { tx_hex } = await answerOf(taker.prepare(request, SWAP));
  const made = madeOf(tx_hex);
  if (made === null) throw new Error(tx_hex);
  const inputs = made.tx.inputs.map((input) => {
    const [signature, shown, , script] = (parseScript(input.scriptSig) ?? []).map(({ data }) => data);
    const pushes = [signature, shown, Uint8Array.of(0), script].map((data) => pushData(data ?? new Uint8Array(0)));
    return { ...input, scriptSig: concatBytes(pushes) };
  });
  const hex = bytesToHex(encodeTransaction({ ...made.tx, inputs }));
  const txid = madeOf(hex)?.txid;
  expect(await scenes.chain.client.batch([['sendrawtransaction', hex]])).toEqual([{ result: txid }]);
  for (const wallet of [taker, scenes.chain.wallet('payer', scene.clock)])
    expect((await answerOf(wallet.payment({ terms }))).spend).toMatchObject({
      how: 'secret',
      secret,
      confirmations: 0,
    });
  await scenes.chain.mine(1);
  expect((await answerOf(taker.payment({ terms }))).spend).toMatchObject({ tx: { tx_hash: txid }, confirmations: 1 });
});

it('a payment is unknown, and nothing is said of it, while no server reports the history of its script', async () => {
  scene = await scenes.begin('a', 'b', 'c');
  const { taker, terms, payment, crooked } = scene;
  const settled = await answerOf(taker.payment({ terms }));
  const [paid] = madeOf(payment.tx_hex)?.tx.outputs ?? [];
  const script = scripthash(bytesToHex(paid?.script ?? new Uint8Array(0)));
  for (const name of ['a', 'b', 'c'])
    crooked.at(name).twist = ([method, hash]) =>
      String(method).startsWith('blockchain.scripthash') && hash === script
        ? new Error('history too large')
        : undefined;
  expect(await taker.payment({ terms })).toMatchObject({ ok: false, fault: { kind: 'unknown' } });
  // One server that tells more is enough to see it in its block.
  crooked.at('c').twist = null;
  expect(await answerOf(taker.payment({ terms }))).toEqual(settled);
});
