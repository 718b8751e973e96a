import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvmAccount } from '../../../../src/chains/evm/account.ts';
import type { EvmCoin } from '../../../../src/chains/evm/coin.ts';
import { MOST_PREPARED, Prepared } from '../../../../src/chains/evm/prepared.ts';
import { type Made, madeOf } from '../../../../src/chains/evm/transaction.ts';
import type { PreparedTransaction } from '../../../../src/ports/chain.ts';
import { addressOf, FINALITY } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { FIRST, goodOf, kindOf, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

const price = { most: 1n, tip: 1n };
const OWN = addressOf('sender');

function signed(nonce: number, id = `id ${nonce}`): Made {
  const call = { to: OWN, value: 0n, data: '', gas: 21_000n, price, legacy: false };
  return { ...call, id, hex: '', from: OWN, chainId: 1, nonce };
}

describe('what an account has signed', () => {
  it('is forgotten from the oldest on if very much is over, and nothing that is still open', () => {
    const draw = fc.tuple(
      fc.integer({ min: 2 * MOST_PREPARED - 3, max: 2 * MOST_PREPARED + 3 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(draw, ([count, part]) => {
        const prepared = new Prepared();
        const all = Array.from({ length: count }, (_, nonce) => signed(nonce));
        for (const one of all) prepared.add(one);
        const over = Math.floor(count * part);
        const forgotten = prepared.forget(({ nonce }) => nonce < over);
        const most = count > 2 * MOST_PREPARED ? Math.min(over, count - MOST_PREPARED) : 0;
        expect(forgotten).toEqual(all.slice(0, most));
        expect([...prepared.values()]).toEqual(all.slice(most));
        for (const one of [all[0], all[most], all[count - 1]] as Made[])
          expect(prepared.withNonceOf(one)).toEqual(forgotten.includes(one) ? [] : [one]);
      }),
      { numRuns: 10 },
    );
  });
});

describeWith(ANVIL, 'an account that has signed very much', () => {
  let world: TwoWallets;

  beforeAll(async () => {
    world = await TwoWallets.open();
  }, 60_000);
  afterAll(() => world?.chain.stop());

  /** So many nonces of the account are used, and it has signed something with so many. */
  async function busy(account: EvmAccount, nonces: number, used = nonces): Promise<void> {
    await world.chain.request('anvil_setNonce', [`0x${account.address}`, `0x${used.toString(16)}`]);
    await world.chain.mine();
    for (let nonce = 0; nonce < nonces; nonce += 1) account.offer(signed(nonce));
    for (let nonce = 0; nonce < nonces; nonce += 1) account.take(signed(nonce));
  }

  it('forgets nothing that waits, or that a reorganization may bring back', async () => {
    const account = world.chain.account('sender');
    const [used, all] = [MOST_PREPARED, 2 * MOST_PREPARED + 500];
    await busy(account, all, used);
    expect(await account.freeNonces(await account.reader.look(), 1)).toEqual([all]);
    expect(account.prepared.size).toBe(all - (used - 1000));
    expect([used - 1001, used - 1000, used, all - 1].map((nonce) => account.holders(nonce).length)).toEqual([
      0, 1, 1, 1,
    ]);
  });

  it('keeps what may still matter, and a bounded part of the rest', async () => {
    const account = world.chain.account('sender');
    await busy(account, 2 * MOST_PREPARED + 500);
    const wallet = world.wallet('sender', { account });
    const waiting = await world.fee(wallet);
    await goodOf(wallet.broadcast(waiting));
    expect([account.prepared.size, account.offered.size].every((size) => size <= MOST_PREPARED + 2)).toBe(true);
    const newest = 2 * MOST_PREPARED + 500 - 1;
    expect([0, newest - 1000, newest].map((nonce) => account.holders(nonce).length)).toEqual([0, 1, 1]);
    expect(account.waiting(newest + 1).map(({ id }) => id)).toEqual([waiting.tx_hash]);
    await world.chain.mine();
    expect((await goodOf(wallet.transaction(waiting.tx_hash))).status).toBe('confirmed');
  });

  it.each(['ether', 'a token'])(
    'and remembers nothing swaps %s as one that does: every step is taken by a new one',
    async (of) => {
      const address = await world.chain.token({ decimals: 6 }, { sender: 10n ** 9n });
      const coin: Partial<EvmCoin> =
        of === 'ether' ? {} : { coin: 'TKN', decimals: 6, token: { address, platform: 'ETH' } };
      const [from, to] = [() => world.wallet('sender', { coin }), () => world.wallet('receiver', { coin })];
      const { terms, secret } = world.terms('0.5', coin);
      const signing = from();
      const funding = await world.payment(signing, terms);
      // Approvals are in no log, so that who pays tokens has to be who signed that.
      await goodOf((of === 'ether' ? from() : signing).broadcast(funding));
      expect((await goodOf(from().transaction(funding.tx_hash))).status).toBe('mempool');
      await world.chain.mine();
      expect((await goodOf(to().payment({ terms }))).funding?.tx.tx_hash).toBe(funding.tx_hash);
      const request = { purpose: 'claim', terms, funding, secret } as const;
      const claim = await world.make(to(), { ...request, ...FIRST });
      await goodOf(to().broadcast(claim));
      const dearer = await world.make(to(), { ...request, urgency: 1, replaces: claim });
      expect(dearer.spends).toEqual(claim.spends);
      await goodOf(to().broadcast(dearer));
      await world.chain.mine();
      // Of what a block has instead nobody makes another one.
      expect(await kindOf(to().broadcast(claim))).toBe('nonceUsed');
      expect(await kindOf(to().prepare({ ...request, urgency: 2, replaces: claim }, { swap: 'one' }))).not.toBe('ok');
      expect((await goodOf(from().payment({ terms }))).spend).toMatchObject({ how: 'secret', secret });
      expect((await goodOf(from().transaction(dearer.tx_hash))).status).toBe('confirmed');
    },
  );

  it('and remembers nothing pays a fee once, and refunds after what others have used', async () => {
    const wallet = () => world.wallet('sender');
    const again = (replaces: PreparedTransaction) =>
      wallet().prepare({ purpose: 'fee', feeSat: 1234n, burnSat: 0n, urgency: 1, replaces }, { swap: 'one' });
    const [fee, stolen] = [await world.fee(wallet()), await world.fee(wallet(), 77n)];
    expect(fee.spends).toEqual(stolen.spends);
    await goodOf(wallet().broadcast(fee));
    await world.chain.mine(FINALITY + 1);
    expect(await kindOf(again(fee))).toBe('nonceUsed');
    const { terms } = world.terms('0.5');
    const payment = await world.paid(wallet(), terms);
    await world.chain.mineAt(terms.lock);
    const request = { purpose: 'refund', terms, funding: payment } as const;
    const refund = await world.make(wallet(), { ...request, ...FIRST });
    await goodOf(wallet().broadcast(await world.fee(wallet(), 99n)));
    await world.chain.mine();
    expect(await kindOf(wallet().broadcast(refund))).toBe('nonceUsed');
    const next = await world.make(wallet(), { ...request, urgency: 1, replaces: refund });
    expect(madeOf(next.tx_hex)?.nonce).toBe((madeOf(refund.tx_hex)?.nonce ?? 0) + 1);
    await goodOf(wallet().broadcast(next));
    await world.chain.mine();
    expect((await goodOf(wallet().payment({ terms }))).spend?.how).toBe('refund');
  });
});
