import { describe, expect, it } from 'vitest';
import { createTendermintNodeReader } from '../../../../src/chains/tendermint/node-reader.ts';
import { madeOf } from '../../../../src/chains/tendermint/transaction.ts';
import type { TendermintMessage } from '../../../../src/htlc/tendermint-messages.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { CometRefusal } from '../../../../src/testing/cometbft/node.ts';
import type { Json } from '../../../../src/testing/cometbft/render.ts';
import { BLOCK_TIME, IRIS, NUCLEUS } from '../../../support/tendermint/adapter-chain.ts';
import { claimCarriedOut, claimOfThreeKeys, idOf } from '../../../support/tendermint/other-claims.ts';
import { FIRST, goodOf, kindOf, SWAP, TwoWallets } from '../../../support/tendermint/two-wallets.ts';

/** What the sender signs in the place of a payment of these terms. */
async function paidAs(world: TwoWallets, change: Partial<Extract<TendermintMessage, { kind: 'create' }>>) {
  const { terms, secret } = world.terms('2');
  const account = world.test.account('sender');
  const wallet = world.wallet('sender', { account });
  const sound = await world.payment(wallet, terms);
  const [message] = madeOf(sound.tx_hex)?.messages ?? [];
  if (message?.kind !== 'create') throw new Error('a payment is one message');
  const look = await world.test.reader().look();
  const messages = [{ ...message, ...change }];
  const made = await account.sign({ messages, memo: '', sequence: 0, timeout: 0, gas: 150_000n, fee: 40_000n }, look);
  await goodOf(wallet.broadcast({ tx_hex: made.hex, tx_hash: made.id }));
  return { terms, secret, made };
}

describe('a payment on a Tendermint chain', () => {
  it.each([IRIS, NUCLEUS])('ends at the block that the module counts, on $chainId', async (kind) => {
    const world = new TwoWallets(kind);
    const [sender, receiver] = [world.wallet('sender'), world.wallet('receiver')];
    const { terms } = world.terms('2');
    await world.paid(sender, terms);
    const at = world.test.height + 1000 / BLOCK_TIME;
    const { expiry, refundable } = await goodOf(receiver.payment({ terms }));
    expect([expiry, refundable]).toEqual([{ unit: 'blocks', at, now: world.test.height }, false]);
    while (world.test.height < at - 1) world.mine();
    expect(await goodOf(receiver.payment({ terms }))).toMatchObject({ refundable: false, spend: null });
    world.mine();
    expect(await goodOf(receiver.payment({ terms }))).toMatchObject({
      refundable: true,
      spend: { how: 'refund', tx: null, confirmations: 1, secret: null },
    });
  });

  it('does not match the terms with a time in its hash lock, which no secret of a swap opens', async () => {
    const world = new TwoWallets();
    const { terms, made } = await paidAs(world, { timestamp: 7n });
    const receiver = world.wallet('receiver');
    expect((await goodOf(receiver.payment({ terms }))).problem).toContain('timestamp');
    world.mine();
    expect((await goodOf(receiver.payment({ terms }))).problem).toContain('timestamp');
    expect((await goodOf(receiver.payment({ terms, claimed: made.hex }))).problem).toContain('timestamp');
  });

  it('does not match the terms if it is locked for less than was agreed, waiting or in a block, named or not', async () => {
    const world = new TwoWallets();
    const { terms, made } = await paidAs(world, { timeLock: 150n });
    const receiver = world.wallet('receiver');
    const problems = async () =>
      Promise.all(
        [{ terms }, { terms, claimed: made.hex }].map(async (query) => (await goodOf(receiver.payment(query))).problem),
      );
    for (const problem of await problems())
      expect(problem).toBe(`Payment tx time_lock of 150 blocks ends before ${terms.lock}`);
    world.mine(3);
    for (const problem of await problems())
      expect(problem).toBe(`Payment tx time_lock of 150 blocks ends before ${terms.lock}`);
  });

  it('of a few blocks less is taken, as blocks come when they come', async () => {
    const world = new TwoWallets();
    const { terms } = await paidAs(world, { timeLock: 192n });
    world.mine();
    expect((await goodOf(world.wallet('receiver').payment({ terms }))).problem).toBe(null);
  });

  it('that waits in two forms is shown in the form of the terms; only what was signed for it is named for it', async () => {
    const world = new TwoWallets();
    const [sender, receiver] = [world.wallet('sender'), world.wallet('receiver')];
    const { terms } = world.terms('2');
    const payment = await world.payment(sender, terms);
    await goodOf(sender.broadcast(payment));
    expect((await goodOf(receiver.payment({ terms }))).funding?.tx.tx_hash).toBe(payment.tx_hash);
    const other = await world.fee(world.wallet('stranger'));
    expect((await goodOf(receiver.payment({ terms, claimed: other.tx_hex }))).problem).toContain('is no payment');
    expect((await goodOf(receiver.payment({ terms, claimed: '00' }))).problem).toContain('cannot be read');
  });

  it('is not reported absent if no node has its transaction in an index', async () => {
    const world = new TwoWallets();
    const { terms } = world.terms('2');
    await world.paid(world.wallet('sender'), terms);
    const answer = { ...{ txs: [], total_count: '0' } };
    const reader = world.test.reader({ alter: (told, method) => (method === 'tx_search' ? answer : told) });
    expect(await kindOf(world.wallet('receiver', { reader }).payment({ terms }))).toBe('unknown');
  });

  describe('of a swap with nodes of the framework', () => {
    // 7803 s are 1560 blocks of 5 s; what was agreed ends after 1000 s.
    const counted = { duration: 7803, leg: 'taker' } as const;
    const locksOf = (hex: string) => {
      const made = madeOf(hex);
      const [message] = made?.messages ?? [];
      return message?.kind === 'create' ? { timeLock: message.timeLock, timeout: made?.timeout } : null;
    };

    it('is locked for the lock duration as they count it, and in a block soon or never', async () => {
      const world = new TwoWallets();
      const { terms } = world.terms('2');
      const { tx_hex } = await world.payment(world.wallet('sender'), { ...terms, counted });
      expect(locksOf(tx_hex)).toEqual({ timeLock: 1560n, timeout: world.test.height + 100 });
      const short = { ...terms, counted: { ...counted, duration: 300 } };
      const other = new TwoWallets();
      const { tx_hex: soon } = await other.payment(other.wallet('sender'), short);
      expect(locksOf(soon)).toEqual({ timeLock: 60n, timeout: other.test.height + 6 });
    });

    it('is locked by a maker until the agreed moment, or as they count if its coin says so', async () => {
      const leg = { ...counted, leg: 'maker' } as const;
      for (const [makerLocks, timeLock] of [
        // A quarter more than the 200 blocks until the agreed moment.
        ['agreed', 250n],
        ['framework', 1560n],
      ] as const) {
        const world = new TwoWallets();
        const { terms } = world.terms('2');
        const sender = world.wallet('sender', { coin: { makerLocks } });
        const { tx_hex } = await world.payment(sender, { ...terms, counted: leg });
        expect(locksOf(tx_hex)).toMatchObject({ timeLock });
      }
    });

    it('keeps its terms by as many blocks as they count, and by none fewer', async () => {
      for (const [timeLock, problem] of [
        [1559n, 'Payment tx time_lock of 1559 blocks is invalid, expected 1560'],
        [1560n, null],
        [3000n, null],
      ] as const) {
        const world = new TwoWallets();
        const { terms } = await paidAs(world, { timeLock });
        const receiver = world.wallet('receiver');
        const query = { terms: { ...terms, counted } };
        expect((await goodOf(receiver.payment(query))).problem).toBe(problem);
        world.mine(3);
        expect((await goodOf(receiver.payment(query))).problem).toBe(problem);
      }
    });
  });

  it('whose terms the module cannot hold is a problem, and none is made', async () => {
    const world = new TwoWallets();
    const sender = world.wallet('sender');
    const { terms } = world.terms('2');
    for (const wrong of [
      { ...terms, secretHash: 'ab'.repeat(20) },
      { ...terms, contract: 'c0'.repeat(20) },
    ]) {
      expect((await goodOf(sender.payment({ terms: wrong }))).problem).toContain('cannot be written');
      expect(await kindOf(sender.prepare({ purpose: 'payment', terms: wrong, ...FIRST }, SWAP))).toBe('invalid');
    }
    const long = { ...terms, lock: terms.lock + 34_560 * BLOCK_TIME } as typeof terms;
    expect(await kindOf(sender.prepare({ purpose: 'payment', terms: long, ...FIRST }, SWAP))).toBe('invalid');
    await world.paid(sender, terms);
    expect(await kindOf(sender.prepare({ purpose: 'payment', terms, ...FIRST }, SWAP))).toBe('invalid');
  });
});

describe('a claim on a Tendermint chain', () => {
  /** A node that notes all that it is told. */
  function listening(world: TwoWallets) {
    const heard: string[] = [];
    const node = world.test.node();
    const { request } = node.own;
    node.own.request = (method, params) => {
      const texts = Object.values(params).map(String);
      const decoded = texts.map((text) => Buffer.from(text, 'base64'));
      heard.push(
        ...texts,
        ...decoded.map((bytes) => bytes.toString('hex')),
        ...decoded.map((bytes) => bytes.toString()),
      );
      return request(method, params);
    };
    return { heard, node };
  }

  it('reveals its secret to nobody before it is sent', async () => {
    const world = new TwoWallets();
    const { terms, secret } = world.terms('2');
    const funding = await world.paid(world.wallet('sender'), terms);
    const { heard, node } = listening(world);
    const { chainId, module } = world.test.network;
    const reader = createTendermintNodeReader(node, { chainId, module });
    const receiver = world.wallet('receiver', { reader });
    const asked = { purpose: 'claim', terms, funding, secret, ...FIRST } as const;
    const claim = await goodOf(receiver.prepare(asked, SWAP));
    // Text of a message within hex of a transaction.
    const spelt = Buffer.from(secret).toString('hex');
    const shown = () => heard.some((text) => text.includes(secret) || text.includes(spelt));
    expect(shown()).toBe(false);
    await goodOf(receiver.broadcast(claim));
    expect(shown()).toBe(true);
  });

  it('is made while a block may still hold it, may be held by none behind, and is no longer made from then on', async () => {
    const world = new TwoWallets();
    const receiver = world.wallet('receiver');
    const { terms, secret } = world.terms('2');
    const funding = await world.paid(world.wallet('sender'), terms);
    const { expiry } = await goodOf(receiver.payment({ terms }));
    const last = Number(expiry?.at) - 1;
    const asked = { purpose: 'claim', terms, funding, secret, ...FIRST } as const;
    while (world.test.height < last - 1) world.mine();
    const claim = await goodOf(receiver.prepare(asked, SWAP));
    expect(madeOf(claim.tx_hex)?.timeout).toBe(last);
    world.mine();
    expect(await kindOf(receiver.prepare(asked, SWAP))).toBe('unavailable');
    expect(await kindOf(receiver.broadcast(claim))).toBe('nonceUsed');
    world.mine();
    expect((await goodOf(receiver.payment({ terms }))).spend?.how).toBe('refund');
  });

  it('that waits is believed by its secret alone, and a stranger’s does not stop the receiver', async () => {
    const world = new TwoWallets();
    const { terms, secret } = world.terms('2');
    const funding = await world.paid(world.wallet('sender'), terms);
    const receiver = world.wallet('receiver');
    const claim = await goodOf(receiver.prepare({ purpose: 'claim', terms, funding, secret, ...FIRST }, SWAP));
    const account = world.test.account('stranger');
    const [message] = madeOf(claim.tx_hex)?.messages ?? [];
    const look = await world.test.reader().look();
    const rest = { memo: '', timeout: 0, gas: 150_000n, fee: 40_000n };
    const asStranger = (sequence: number, shown: string) => {
      if (message?.kind !== 'claim') throw new Error('a claim is one message');
      const messages = [{ ...message, sender: account.address, secret: shown }];
      return account.sign({ ...rest, messages, sequence }, look);
    };
    const sender = world.wallet('sender');
    const wrong = await asStranger(0, 'ff'.repeat(32));
    await goodOf(world.wallet('stranger').broadcast({ tx_hex: wrong.hex, tx_hash: wrong.id }));
    expect((await goodOf(sender.payment({ terms }))).spend).toBe(null);
    const right = await asStranger(1, secret);
    await goodOf(world.wallet('stranger').broadcast({ tx_hex: right.hex, tx_hash: right.id }));
    expect((await goodOf(sender.payment({ terms }))).spend).toMatchObject({ how: 'secret', secret, confirmations: 0 });
    expect((await goodOf(receiver.payment({ terms }))).spend).toBe(null);
    world.mine();
    const { spend } = await goodOf(receiver.payment({ terms }));
    expect(spend).toMatchObject({ how: 'secret', secret, confirmations: 1, tx: { tx_hash: right.id } });
    expect(world.test.balance('receiver')).toBe(52_000_000n);
  });
});

describe('a claim in another form, which reveals the secret all the same', () => {
  it.each([IRIS, NUCLEUS])('of several keys, or carried out by another message, is seen on $chainId', async (kind) => {
    for (const claimOf of [
      async (world: TwoWallets, claiming: { readonly id: string; readonly secret: string }) =>
        claimOfThreeKeys(world.test, claiming),
      (world: TwoWallets, claiming: { readonly id: string; readonly secret: string }) =>
        claimCarriedOut(world.test, { ...claiming, name: 'stranger' }),
    ]) {
      const world = new TwoWallets(kind);
      const sender = world.wallet('sender');
      const { terms, secret } = world.terms('2');
      await world.paid(sender, terms);
      const hex = await claimOf(world, { id: idOf(world.test, terms), secret });
      expect(await world.test.reader().send(hex)).toBe(null);
      world.mine(3);
      const { spend } = await goodOf(sender.payment({ terms }));
      const tx = { tx_hex: hex, tx_hash: bytesToHex(sha256(hexToBytes(hex))) };
      expect(spend).toEqual({ how: 'secret', secret, confirmations: 3, tx });
      expect(world.test.balance('receiver')).toBe(52_000_000n);
    }
  });

  it('is not taken from a transaction that a node names and that claims something else', async () => {
    const world = new TwoWallets();
    const sender = world.wallet('sender');
    const { terms, secret } = world.terms('2');
    const payment = await world.paid(sender, terms);
    const hex = claimOfThreeKeys(world.test, { id: idOf(world.test, terms), secret });
    await world.test.reader().send(hex);
    const other = await world.fee(world.wallet('stranger'));
    await goodOf(world.wallet('stranger').broadcast(other));
    world.mine();
    expect(world.test.chain.tip().transactions.length).toBe(2);
    const named = [payment, other].map(({ tx_hash }) => ({ hash: tx_hash.toUpperCase() }));
    const reader = world.test.reader({
      alter: (told, method, { query }) =>
        method === 'tx_search' && String(query).startsWith('claim')
          ? { ...told, txs: [...named, ...(told['txs'] as readonly Json[])] }
          : told,
    });
    const { spend } = await goodOf(world.wallet('sender', { reader }).payment({ terms }));
    expect(spend?.tx?.tx_hex).toBe(hex);
  });
});

describe('with nodes whose index has lost the transactions of a payment', () => {
  /** Their blocks have them. */
  const forgetful = (world: TwoWallets) =>
    world.test.reader({
      alter(told, method, { hash }) {
        if (method === 'tx_search') return { txs: [], total_count: '0' };
        if (method !== 'tx') return told;
        const id = Buffer.from(String(hash), 'base64').toString('hex').toUpperCase();
        throw new CometRefusal(-32_603, 'Internal error', `tx (${id}) not found`);
      },
    });

  it('a payment that is named, or locked as the framework counts, is found in its block', async () => {
    const world = new TwoWallets();
    const counted = { duration: 7803, leg: 'taker' } as const;
    const terms = { ...world.terms('2').terms, counted };
    const payment = await world.paid(world.wallet('sender'), terms);
    world.mine(4);
    const sound = await goodOf(world.wallet('receiver').payment({ terms }));
    const receiver = world.wallet('receiver', { reader: forgetful(world) });
    expect(await goodOf(receiver.payment({ terms }))).toEqual(sound);
    const { counted: _, ...agreed } = terms;
    const named = await goodOf(receiver.payment({ terms: agreed, claimed: payment.tx_hex }));
    expect(named).toMatchObject({ funding: sound.funding, problem: null });
    expect(await kindOf(receiver.payment({ terms: agreed }))).toBe('unknown');
  });

  it.each([IRIS, NUCLEUS])('a claim in any form shows its secret, on $chainId', async (kind) => {
    type Claiming = { readonly id: string; readonly secret: string };
    for (const claimOf of [
      async (world: TwoWallets, claiming: Claiming) => claimOfThreeKeys(world.test, claiming),
      (world: TwoWallets, claiming: Claiming) => claimCarriedOut(world.test, { ...claiming, name: 'stranger' }),
    ]) {
      const world = new TwoWallets(kind);
      const { terms, secret } = world.terms('2');
      const payment = await world.paid(world.wallet('sender'), terms);
      const hex = await claimOf(world, { id: idOf(world.test, terms), secret });
      expect(await world.test.reader().send(hex)).toBe(null);
      world.mine(3);
      const sender = world.wallet('sender', { reader: forgetful(world) });
      const { spend } = await goodOf(sender.payment({ terms, claimed: payment.tx_hex }));
      const tx = { tx_hex: hex, tx_hash: bytesToHex(sha256(hexToBytes(hex))) };
      expect(spend).toEqual({ how: 'secret', secret, confirmations: 3, tx });
    }
  });

  it('a claim that failed in the same block is not mistaken for the one that shows the secret', async () => {
    const world = new TwoWallets();
    const { terms, secret } = world.terms('2');
    const payment = await world.paid(world.wallet('sender'), terms);
    const account = world.test.account('stranger');
    const id = idOf(world.test, terms);
    const look = await world.test.reader().look();
    const hexes: string[] = [];
    for (const [sequence, shown] of ['ff'.repeat(32), secret].entries()) {
      const message = { kind: 'claim', module: IRIS.module, sender: account.address, id, secret: shown } as const;
      const rest = { memo: '', timeout: 0, gas: 150_000n, fee: 40_000n };
      const { hex } = await account.sign({ ...rest, messages: [message], sequence }, look);
      expect(await world.test.reader().send(hex)).toBe(null);
      hexes.push(hex);
    }
    world.mine();
    expect(world.test.chain.tip().transactions.map(({ result }) => result.code === 0)).toEqual([false, true]);
    const sender = world.wallet('sender', { reader: forgetful(world) });
    const { spend } = await goodOf(sender.payment({ terms, claimed: payment.tx_hex }));
    expect([spend?.secret, spend?.tx?.tx_hex]).toEqual([secret, hexes[1]]);
  });
});

describe('a trading fee on a Tendermint chain', () => {
  it('names its swap, and does not count for another one, of another coin, or beside another message', async () => {
    const world = new TwoWallets();
    const [sender, receiver] = [world.wallet('sender'), world.wallet('receiver')];
    const fee = await world.fee(sender);
    expect(madeOf(fee.tx_hex)?.memo).toBe(SWAP.swap);
    await goodOf(sender.broadcast(fee));
    const check = {
      tx: fee.tx_hex,
      hash: fee.tx_hash,
      payer: sender.htlcKey(''),
      feeSat: 1234n,
      burnSat: 0n,
      minHeight: 0,
    };
    expect(await goodOf(receiver.checkFee(check, SWAP))).toBe(null);
    expect(await goodOf(receiver.checkFee(check, { swap: 'another' }))).not.toBe(null);
    const other = world.wallet('receiver', { coin: { denom: 'ibc/AB' } });
    expect(await goodOf(other.checkFee(check, SWAP))).not.toBe(null);
    world.mine();
    expect(await goodOf(receiver.checkFee(check, SWAP))).toBe(null);
    const late = { ...check, notBefore: (world.test.now + 1) as typeof world.test.now };
    expect(await goodOf(receiver.checkFee(late, SWAP))).not.toBe(null);
  });

  it('costs more with urgency, and never more than the ceiling', async () => {
    const world = new TwoWallets();
    const wallet = world.wallet('sender', { network: { mostGasPrice: '0.3' as DecimalText } });
    const asked = (urgency: number) =>
      goodOf(wallet.prepare({ purpose: 'fee', feeSat: 1234n, burnSat: 0n, urgency, replaces: null }, SWAP));
    const priceOf = async (urgency: number) => {
      const made = madeOf((await asked(urgency)).tx_hex);
      return Number(made?.fee[0]?.amount) / Number(made?.gas);
    };
    expect(await priceOf(0)).toBeCloseTo(0.25, 4);
    expect(await priceOf(4)).toBeCloseTo(0.3, 4);
  });
});
