import { machineOfRole } from '../events/catalog.ts';
import { type DecimalText, toBigNumber } from '../primitives/decimal.ts';
import type { Engine } from './engine.ts';
import { shortReason } from './errors.ts';

type Told = Pick<Engine, 'gates' | 'locks' | 'logger'>;

/** Tells a wallet what a swap will still take from it, both sides of it where both are on this node. */
export function tellHold({ gates, locks, logger }: Told, stream: string, coin: string): void {
  const chain = gates.get(coin)?.chain;
  if (chain?.hold === undefined) return;
  const swap = stream.slice(stream.indexOf('/') + 1);
  let sum = toBigNumber('0' as DecimalText);
  for (const machine of Object.values(machineOfRole)) sum = sum.plus(toBigNumber(locks.of(`${machine}/${swap}`, coin)));
  try {
    chain.hold({ swap, amount: sum.toFixed() as DecimalText });
  } catch (error) {
    logger.error('hold failed', { stream, coin, reason: shortReason(error) });
  }
}

/** The same for every swap under way, to a wallet that was opened just now. */
export function tellHolds(engine: Told, coin: string): void {
  for (const stream of engine.locks.streams())
    if (engine.locks.of(stream, coin) !== '0') tellHold(engine, stream, coin);
}
