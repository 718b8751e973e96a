import { htlcPub, type NegotiationMessage } from '../../../htlc/negotiation.ts';
import { onLeg } from '../../../primitives/pair.ts';
import type { UnixSeconds } from '../../../primitives/time.ts';
import type { SimNode } from '../node.ts';
import type { World } from '../world.ts';
import { lockOf, secretHashOf } from './agreement.ts';
import type { Report } from './rules.ts';

type Word = {
  readonly said: NegotiationMessage;
  /** When it started, by its own clock; null if it has not. */
  readonly startedAt: UnixSeconds | null;
  readonly report: Report;
};

/**
 * Rule R11 of the first negotiation message of an honest party: its start, its lock, its keys, and the hash of the secret. A party with a wrong clock
 * states its start by that, which the other side must refuse.
 */
export function checkWord(world: World, node: SimNode, { said, startedAt, report }: Word): void {
  const { name } = node;
  if (startedAt === null) report('R11', `the ${name} speaks before it has started`);
  else if (said.started_at !== startedAt) {
    report('R11', `the ${name} says that it started ${said.started_at - startedAt} s after it did`);
  }
  const lock = lockOf(name, said.started_at, world.scenario.lockDuration);
  if (said.payment_locktime !== lock) {
    report('R11', `the ${name} names a lock that is ${said.payment_locktime - lock} s off`);
  }
  for (const leg of ['maker', 'taker'] as const) {
    const key = onLeg(node.wallets, leg).htlcKey(world.uuid);
    const told = htlcPub(said, leg === 'maker' ? 'makerCoin' : 'takerCoin');
    if (told !== key) report('R11', `the ${name} names another key for the ${leg} coin than its wallet has`);
  }
  const hash = name === 'maker' ? secretHashOf(world) : world.wire.offer?.secret_hash;
  if (said.secret_hash !== hash) report('R11', `the ${name} names another hash than that of the secret`);
}
