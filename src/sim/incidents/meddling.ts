import type { ChainFault, SignedTransaction } from '../../ports/chain.ts';
import { signedOf } from '../../runtime/swap/turn.ts';
import type { SimWallet } from '../chains/types.ts';
import type { ChainName } from '../world/scenario.ts';
import type { Observer, World } from '../world/world.ts';
import type { IncidentParty } from './incident.ts';
import { isLabelled } from './records.ts';

// What others do while a swap is in progress, and a scenario cannot express.

/** Calls back when a party's log gets its first record of this label, before the engine does anything else. */
export function onceAppended(
  sought: { readonly party: IncidentParty; readonly record: string },
  act: (world: World) => void,
): Observer {
  let done = false;
  return {
    appended(world, node, records) {
      if (done || node.name !== sought.party || !records.some((record) => isLabelled(record, sought.record))) return;
      done = true;
      act(world);
    },
  };
}

/** Calls back once, after the first step for which the condition holds. */
export function once(when: (world: World) => boolean, act: (world: World) => void): Observer {
  let done = false;
  return {
    settled(world) {
      if (done || !when(world)) return;
      done = true;
      act(world);
    },
  };
}

/**
 * Another process with a party's keys, which does not know what the first has reserved, spends what a transaction spends, back to the wallet itself,
 * at a higher fee.
 *
 * @throws RangeError when the chain does not take it.
 */
export function overtake(
  world: World,
  { party, chain }: { readonly party: IncidentParty; readonly chain: ChainName },
  { target, urgency }: { readonly target: SignedTransaction; readonly urgency: number },
): void {
  const made = world.chains[chain].wallet({ party }).prepare({ purpose: 'void', target, urgency });
  if (!made.ok) throw new RangeError(`nothing can overtake the transaction: ${made.fault.message}`);
  const sent = world.chains[chain].submit(made.value.tx_hex);
  if (!sent.ok) throw new RangeError(`the transaction was not overtaken: ${sent.fault.message}`);
}

/** The newest transaction that a party's log holds for a purpose. @throws RangeError if there is none. */
export function newest(
  world: World,
  party: IncidentParty,
  purpose: 'fee' | 'payment' | 'claim' | 'refund',
): SignedTransaction {
  const record = world.nodes[party].runner.journal.prepared[purpose].at(-1);
  if (record === undefined) throw new RangeError(`the ${party} has no ${purpose}`);
  return signedOf(record.tx);
}

/** A party's node refuses what breaks a network rule that the simulated chain lacks. */
export function refusing(wallet: SimWallet, rule: (transaction: SignedTransaction) => ChainFault | null): void {
  const pass = wallet.broadcast;
  wallet.broadcast = (transaction) => {
    const fault = rule(transaction);
    return fault === null ? pass(transaction) : { ok: false, fault };
  };
}

/** The wallet no longer signs, as if nobody had unlocked it after a restart. */
export function lock(wallet: SimWallet): void {
  wallet.prepare = () => ({ ok: false, fault: { kind: 'unavailable', message: 'the wallet is locked' } });
}
