import { dexFee } from '../../htlc/dex-fee.ts';
import { type DecimalText, fromBaseUnits } from '../../primitives/decimal.ts';
import { COINS } from './chains.ts';
import { AMOUNTS, type Demo } from './demo.ts';
import { SIDES, type Side } from './side.ts';

/** One coin of one side, by the chain itself: `before + swapped - takerFee - fees` is `after`. In coin units. */
export type HeldCoin = {
  readonly coin: string;
  readonly before: DecimalText;
  /** What the swap brought, below zero for what it took. */
  readonly swapped: DecimalText;
  readonly takerFee: DecimalText;
  readonly fees: DecimalText;
  readonly after: DecimalText;
};

export type DemoMoney = {
  readonly side: Side;
  readonly uuid: string;
  readonly maker: HeldCoin;
  readonly taker: HeldCoin;
};

/** Where the money is, as the chains themselves say. */
export function moneyOf(demo: Demo): readonly DemoMoney[] {
  return SIDES.map((side) => ({
    side,
    uuid: demo.uuid,
    maker: held(demo, side, 'maker'),
    taker: held(demo, side, 'taker'),
  }));
}

/** How many payments of each side a block holds: more than one is a payment that was made twice. */
export function paymentsOf({ world }: Demo): Readonly<Record<Side, number>> {
  const count = (side: Side) =>
    world.chains[side].ledger
      .transactions(side)
      .filter(({ purpose, status }) => purpose === 'payment' && status === 'confirmed').length;
  return { maker: count('maker'), taker: count('taker') };
}

function held({ world }: Demo, side: Side, on: Side): HeldCoin {
  const { coin, ledger } = world.chains[on];
  const { decimals, minTxAmount } = world.wallets[side][on].traits;
  const units = (value: bigint) => fromBaseUnits(value, decimals);
  const before = ledger.funded(side);
  const after = ledger.balance(side).confirmed;
  const fees = ledger.feesPaid(side);
  const paid = ledger.transactions(side).filter(({ purpose, status }) => purpose === 'fee' && status === 'confirmed');
  const rule = dexFee({
    takerCoin: COINS.taker,
    makerCoin: COINS.maker,
    takerAmount: AMOUNTS.taker,
    minTxAmount,
    decimals,
  });
  const takerFee = (rule.feeSat + rule.burnSat) * BigInt(paid.length);
  const swapped = after - before + fees + takerFee;
  return {
    coin,
    before: units(before),
    swapped: units(swapped),
    takerFee: units(takerFee),
    fees: units(fees),
    after: units(after),
  };
}
