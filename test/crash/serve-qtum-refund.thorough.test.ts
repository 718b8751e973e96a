import { afterEach, expect, it } from 'vitest';
import { ANVIL } from '../support/evm/anvil.ts';
import { describeWith } from '../support/optional-part.ts';
import { type ServedQrc20World, SIDES, type Side, servedQrc20World, since } from '../support/qtum/served-world.ts';

// The other side of a QRC20 swap is killed for good when both payments could be made, and the one that paid the token is killed with SIGKILL while it waits for its lock,
// and while its refund is on its way: it takes its tokens back, once. Locks run by the host's clock, so this takes minutes.

describeWith(ANVIL, 'swapfold serve that is left alone with a payment of a QRC20 token', () => {
  let world: ServedQrc20World | undefined;

  afterEach(async () => {
    await world?.close();
    world = undefined;
  });

  /** The taker's fee is one part of 777, of the coin that it gives. */
  const TAKER = { maker: [], taker: ['fee', 'pay', 'refund'], scripts: ['pay'], gains: [0n, -1287n] };
  const MAKER = { maker: ['pay', 'refund'], taker: [], scripts: ['fee'], gains: [0n, 0n] };
  type Case = { readonly payer: Side; readonly other: Side; readonly paid: string; readonly back: string };
  const CASES: readonly (Case & { readonly did: object })[] = [
    { payer: 'taker', other: 'maker', paid: 'TakerPaymentSent', back: 'TakerPaymentRefunded', did: TAKER },
    { payer: 'maker', other: 'taker', paid: 'MakerPaymentSent', back: 'MakerPaymentRefunded', did: MAKER },
  ];

  it.each(CASES)(
    'as the $payer takes its tokens back once, killed while it waits and while its refund is on its way',
    async ({ payer, other, paid, back, did }) => {
      // Who does not give the token gives the other coin.
      world = await servedQrc20World({ config: { payment_locktime: 90 }, miner: other });
      for (const side of SIDES) await world.start(side);
      await world.ownRewards();
      const before = await world.books();
      const uuid = await world.begin({ gives: payer, volume: payer === 'taker' ? '0.8' : '0.3' });
      await world.hasEvent(payer, { uuid, type: paid });
      await world.kill(other);
      await world.kill(payer);
      await world.start(payer);
      world.line.hold();
      await world.line.held();
      await world.kill(payer);
      await world.start(payer);
      const { events, is_success } = await world.finished(payer, uuid);
      expect(events.map(({ event }) => event.type)).toContain(back);
      expect(is_success).toBe(false);
      await world.settle();
      expect(since(before, await world.books())).toEqual(did);
      expect(await world.qtum.machine.evm.tokensOf(world.token, world.qtum.swapContract)).toBe(0n);
      expect(await world.stop()).toEqual([0]);
    },
    480_000,
  );
});
