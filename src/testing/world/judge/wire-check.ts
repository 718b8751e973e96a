import { htlcPub, type NegotiationMessage } from '../../../htlc/negotiation.ts';
import { onLeg } from '../../../primitives/pair.ts';
import type { SimNode } from '../node.ts';
import { EPOCH } from '../scenario.ts';
import type { World } from '../world.ts';
import { lockOf, secretHashOf } from './agreement.ts';
import type { Report } from './rules.ts';
import { secondsOf } from './truth.ts';

/** A party starts no earlier than the world and speaks of its start soon: a crash may lie in between. */
const CLOCKS = 60;

/** Rule R11 of the first negotiation message of an honest party: its start, its lock, its keys, and the hash of the secret. */
export function checkWord(
  world: World,
  node: SimNode,
  { said, report }: { readonly said: NegotiationMessage; readonly report: Report },
): void {
  const { name } = node;
  const now = secondsOf(world) + EPOCH;
  if (said.started_at > now + CLOCKS || said.started_at < EPOCH - CLOCKS) {
    report('R11', `the ${name} says that it started ${said.started_at - now} s from now`);
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
