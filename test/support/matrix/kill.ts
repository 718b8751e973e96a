import type { Hosts } from './hosts.ts';
import { endOf, judge } from './judge.ts';
import type { PlacedChains } from './party.ts';
import { type Cell, record } from './play.ts';
import { openProcessParty, type ProcessParty } from './process-party.ts';
import type { End } from './scenario.ts';
import type { KillPlan } from './seat-messages.ts';
import type { Side } from './sides.ts';
import { stuckWallets } from './stuck-wallets.ts';
import type { MatrixWorld } from './world.ts';

/** Who ends when one of them comes by some input or output. */
export type Kill = {
  readonly victims: readonly Side[];
  readonly trigger: Side;
  /** A regular expression: which inputs and outputs count, such as `^broadcast after`; each counts before it and after it. */
  readonly of: string;
  /** Which of them, from 1. */
  readonly at: number;
  /** Which of those that the trigger comes by after it was started again ends it once more; null for none. */
  readonly again: number | null;
};

export type Killed = {
  /** What is not as the rules say; empty when all is. */
  readonly findings: readonly string[];
  readonly end: End;
  /** What each side came by. */
  readonly passed: ReadonlyMap<Side, readonly string[]>;
  /** At what the kills were. */
  readonly fellAt: readonly string[];
};

/** Plays a scenario between processes, some of which may be killed and are then started again over their logs. */
export async function playKilled(
  world: MatrixWorld,
  { pair, scenario, hosts, kill }: Cell & { readonly hosts: Hosts; readonly kill: Kill | null },
): Promise<Killed> {
  const passed = new Map<Side, readonly string[]>();
  const parties = new Map<Side, ProcessParty>();
  let stuck: readonly string[] = [];
  let chains: PlacedChains | null = null;
  const victims = () => kill?.victims.flatMap((side) => parties.get(side) ?? []) ?? [];
  let fellAt: readonly string[] = [];
  const plansOf = (party: ProcessParty): readonly KillPlan[] => {
    if (kill?.trigger !== party.side) return [];
    const { of, at, again } = kill;
    const along = victims().flatMap((other) => (other === party ? [] : other.pid()));
    return [{ of, at, along }, ...(again === null ? [] : [{ of, at: again, along: [] }])];
  };
  const found = await record(
    world,
    { pair, scenario },
    {
      async open(options) {
        // Who came back meanwhile is another process than the one that was to be taken along.
        const onFall = () => {
          for (const party of victims()) if (party.side !== options.side && !party.fell()) party.fall();
        };
        const party = await openProcessParty({ ...options, hosts, onFall });
        parties.set(options.side, party);
        chains = options.chains;
        return party;
      },
      kills: true,
      // What comes before a scenario departs from the usual way is killed on the usual way. A watcher has no other one.
      onBegin() {
        for (const party of parties.values())
          if (scenario.steps.length === 0 || party.side === 'watcher') party.count(plansOf(party));
      },
      onTurn() {
        for (const party of parties.values()) if (party.side !== 'watcher') party.count(plansOf(party));
      },
      async onEnd() {
        for (const [side, party] of parties) passed.set(side, [...party.passed()]);
        if (kill !== null) fellAt = parties.get(kill.trigger)?.fellAt() ?? [];
        // What is done from here on is no part of the run.
        for (const party of parties.values()) party.count([]);
        if (chains !== null) stuck = await stuckWallets(world, { chains, parties });
      },
    },
  );
  return { findings: [...judge(found), ...stuck], end: endOf(found), passed, fellAt };
}
