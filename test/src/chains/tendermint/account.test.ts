import { describe, expect, it } from 'vitest';
import { createTendermintNodeReader } from '../../../../src/chains/tendermint/node-reader.ts';
import type { TendermintLook } from '../../../../src/chains/tendermint/reader.ts';
import { madeOf } from '../../../../src/chains/tendermint/transaction.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { ASSET, UNIT } from '../../../support/tendermint/adapter-chain.ts';
import { FIRST, goodOf, kindOf, SWAP, TwoWallets } from '../../../support/tendermint/two-wallets.ts';

const sequenceOf = ({ tx_hex }: { readonly tx_hex: string }) => madeOf(tx_hex)?.sequence;

describe('the sequences of an account', () => {
  it('are given out once for all coins that share it', async () => {
    const world = new TwoWallets();
    world.test.give('sender', 90_000n, ASSET.denom);
    const account = world.test.account('sender');
    const [own, asset] = [world.wallet('sender', { account }), world.wallet('sender', { account, coin: ASSET })];
    const made = [
      await world.fee(own),
      await world.fee(asset),
      await world.payment(asset, world.terms('1.5', ASSET).terms),
    ];
    expect(made.map(sequenceOf)).toEqual([0, 1, 2]);
    for (const each of made) expect(await goodOf(own.broadcast(each))).toBe('sent');
    world.mine();
    expect(world.test.balance('sender', ASSET.denom)).toBe(90_000n - 1234n - 15_000n);
    expect((await goodOf(asset.quote())).feeCoin).toMatchObject({ coin: 'NYAN' });
  });

  it('what no block may hold any more can never confirm: its sequence is free, and another transaction gets it', async () => {
    const world = new TwoWallets();
    const wallet = world.wallet('sender');
    const { terms } = world.terms('2');
    const old = await world.payment(wallet, terms);
    expect(madeOf(old.tx_hex)?.timeout).toBe(world.test.height + 100);
    world.mine(99);
    expect((await goodOf(wallet.transaction(old.tx_hash))).status).toBe('unknown');
    world.mine(1);
    expect(await goodOf(wallet.transaction(old.tx_hash))).toMatchObject({ status: 'conflicted', confirmations: 1 });
    expect(await kindOf(wallet.broadcast(old))).toBe('nonceUsed');
    expect((await goodOf(wallet.quote())).spendable).toBe('50');
    const lock = { ...terms, lock: terms.lock + 1000 } as typeof terms;
    const next = await world.make(wallet, { purpose: 'payment', terms: lock, urgency: 0, replaces: old });
    expect(sequenceOf(next)).toBe(0);
    expect(await goodOf(wallet.broadcast(next))).toBe('sent');
    world.mine();
    expect((await goodOf(wallet.payment({ terms: lock }))).problem).toBe(null);
  });

  it('a node that calls a transaction too late, which by the chain is not, says nothing of it', async () => {
    const world = new TwoWallets();
    const refusal = { code: 30, codespace: 'sdk', log: 'block height: 3101, timeout height: 3100', data: '', hash: '' };
    const node = world.test.node();
    const { request } = node.own;
    node.own.request = (method, params) => (method === 'broadcast_tx_sync' ? refusal : request(method, params));
    const { chainId, module } = world.test.network;
    const reader = createTendermintNodeReader(node, { chainId, module });
    const wallet = world.wallet('sender', { reader });
    const fee = await world.fee(wallet);
    expect(await kindOf(wallet.broadcast(fee))).toBe('unavailable');
    world.mine(100);
    expect(await kindOf(wallet.broadcast(fee))).toBe('nonceUsed');
  });

  it('in its last block what waits is still taken', async () => {
    const world = new TwoWallets();
    const wallet = world.wallet('sender');
    const fee = await world.fee(wallet);
    world.mine(99);
    expect(await goodOf(wallet.broadcast(fee))).toBe('sent');
    world.mine(1);
    expect(await goodOf(wallet.transaction(fee.tx_hash))).toMatchObject({ status: 'confirmed' });
  });

  it('a fee that is in a block is not paid a second time, whatever it should replace', async () => {
    const world = new TwoWallets();
    const wallet = world.wallet('sender');
    const fee = await world.fee(wallet);
    await goodOf(wallet.broadcast(fee));
    world.mine(1);
    const again = { purpose: 'fee', feeSat: 1234n, burnSat: 0n, urgency: 1, replaces: fee } as const;
    expect(await kindOf(wallet.prepare(again, SWAP))).toBe('nonceUsed');
    expect(world.test.balance('sender')).toBe(50n * UNIT - 1234n - (madeOf(fee.tx_hex)?.fee[0]?.amount ?? 0n));
  });

  describe('a fee whose fate the nodes have lost', () => {
    /** A node without what it has told in blocks: of no transaction, or of no block either. */
    async function lostFee({ blocks }: { readonly blocks: number }) {
      const world = new TwoWallets();
      const own = world.test.reader();
      const forgetful = (look: TendermintLook): TendermintLook => ({
        ...look,
        included: async () => null,
        contents: async () => [],
      });
      let isLost = true;
      const reader = { ...own, look: async () => (isLost ? forgetful(await own.look()) : own.look()) };
      const wallet = world.wallet('sender', { reader });
      const fee = await world.fee(wallet);
      await goodOf(wallet.broadcast(fee));
      world.mine(blocks);
      const asked = { purpose: 'fee', feeSat: 1234n, burnSat: 0n, urgency: 1, replaces: fee } as const;
      return {
        again: () => wallet.prepare(asked, SWAP),
        find: () => {
          isLost = false;
        },
      };
    }

    it.each([1, 50, 150])('is not paid a second time %s blocks later', async (blocks) => {
      const { again, find } = await lostFee({ blocks });
      expect(await again()).toMatchObject({
        fault: {
          kind: 'nonceUsed',
          message: expect.stringContaining('no node reports which transaction used sequence 0'),
        },
      });
      find();
      expect(await again()).toMatchObject({
        fault: { kind: 'nonceUsed', message: expect.stringContaining('has the same effect') },
      });
    });

    it('is paid again if its time has passed and its sequence is free', async () => {
      const world = new TwoWallets();
      const wallet = world.wallet('sender');
      const fee = await world.fee(wallet);
      world.mine(150);
      const asked = { purpose: 'fee', feeSat: 1234n, burnSat: 0n, urgency: 0, replaces: fee } as const;
      expect(sequenceOf(await world.make(wallet, asked))).toBe(0);
    });

    it('is paid again if something else is known to have its sequence', async () => {
      const world = new TwoWallets();
      const [wallet, other] = [world.wallet('sender'), world.wallet('sender')];
      const fee = await world.fee(wallet);
      await goodOf(other.broadcast(await world.fee(other, 777n)));
      world.mine();
      const asked = { purpose: 'fee', feeSat: 1234n, burnSat: 0n, urgency: 0, replaces: fee } as const;
      expect(sequenceOf(await world.make(wallet, asked))).toBe(1);
    });
  });

  it('a gap is filled once all that was signed before is marked, and not sooner', async () => {
    const world = new TwoWallets();
    const lost = world.wallet('sender');
    await world.fee(lost);
    const kept = await world.fee(lost, 777n);
    for (const isTold of [false, true]) {
      const wallet = world.wallet('sender');
      wallet.reserve([kept]);
      if (isTold) wallet.resumed();
      expect(await kindOf(wallet.broadcast(kept))).toBe(isTold ? 'ok' : 'nonceGap');
    }
    world.mine();
    expect(world.test.chain.tip().transactions.map(({ result }) => result.code)).toEqual([0, 0]);
  });

  it('what another coin of the account may still have signed is not filled over', async () => {
    const world = new TwoWallets();
    const account = world.test.account('sender');
    const [own, asset] = [world.wallet('sender', { account }), world.wallet('sender', { account, coin: ASSET })];
    await world.fee(own);
    const later = await world.fee(own, 777n);
    const again = world.test.account('sender');
    const [first, second] = [
      world.wallet('sender', { account: again }),
      world.wallet('sender', { account: again, coin: ASSET }),
    ];
    first.reserve([later]);
    first.resumed();
    expect(await kindOf(first.broadcast(later))).toBe('nonceGap');
    second.leave();
    expect(await kindOf(first.broadcast(later))).toBe('ok');
    expect(asset.htlcKey('')).toBe(own.htlcKey(''));
  });

  it('what a node has forgotten in a restart goes out again before what follows it', async () => {
    const world = new TwoWallets();
    const wallet = world.wallet('sender');
    const [first, second] = [await world.fee(wallet), await world.fee(wallet, 777n)];
    await goodOf(wallet.broadcast(first));
    world.test.chain.forget();
    expect(await goodOf(wallet.broadcast(second))).toBe('sent');
    world.mine();
    expect(world.test.chain.tip().transactions.map(({ id }) => id)).toEqual([first.tx_hash, second.tx_hash]);
  });

  it('what waits from an account by a node’s word counts only if the account has signed it', async () => {
    const world = new TwoWallets();
    const honest = await world.fee(world.wallet('sender'));
    // A signature over another chain's id.
    const network = { chainId: 'irishub-1' };
    const foreign = await goodOf(
      world
        .wallet('sender', { account: world.test.account('sender', { network }) })
        .prepare({ purpose: 'fee', feeSat: 5n, burnSat: 0n, ...FIRST }, SWAP),
    );
    const txs = [Buffer.from(foreign.tx_hex, 'hex').toString('base64')];
    const reader = world.test.reader({
      alter: (answer, method) => (method === 'unconfirmed_txs' ? { ...answer, txs } : answer),
    });
    expect(sequenceOf(await world.fee(world.wallet('sender', { reader })))).toBe(0);
    expect(sequenceOf(honest)).toBe(0);
  });

  it('an account that the chain does not know yet signs nothing', async () => {
    const world = new TwoWallets();
    const wallet = world.wallet('nobody');
    expect(await goodOf(wallet.quote())).toMatchObject({ spendable: '0' });
    expect(await kindOf(wallet.prepare({ purpose: 'fee', feeSat: 1n, burnSat: 0n, ...FIRST }, SWAP))).toBe(
      'insufficientFunds',
    );
  });
});

describe('what swaps hold of an account', () => {
  it('is held in the coin that pays fees by whichever coin reports it', async () => {
    const world = new TwoWallets();
    world.test.give('sender', 90_000n, ASSET.denom);
    const account = world.test.account('sender');
    const [own, asset] = [world.wallet('sender', { account }), world.wallet('sender', { account, coin: ASSET })];
    asset.hold({ swap: 'another', amount: '2' as DecimalText, fees: '49.99' as DecimalText });
    expect(await kindOf(own.prepare({ purpose: 'fee', feeSat: 1234n, burnSat: 0n, ...FIRST }, SWAP))).toBe(
      'coinsPromised',
    );
    asset.leave();
    expect(await kindOf(own.prepare({ purpose: 'fee', feeSat: 1234n, burnSat: 0n, ...FIRST }, SWAP))).toBe('ok');
  });

  it('no longer includes what its own swap takes, until that is given back', async () => {
    const world = new TwoWallets();
    const wallet = world.wallet('sender');
    wallet.hold({ swap: SWAP.swap, amount: '30' as DecimalText, fees: '0.1' as DecimalText });
    const payment = await world.payment(wallet, world.terms('29').terms);
    const other = { purpose: 'fee', feeSat: 19_000_000n, burnSat: 0n, ...FIRST } as const;
    expect(await kindOf(wallet.prepare(other, { swap: 'another' }))).toBe('ok');
    wallet.release([payment]);
    expect(await kindOf(wallet.prepare({ ...other, feeSat: 2_000_000n }, { swap: 'another' }))).toBe('coinsPromised');
  });
});
