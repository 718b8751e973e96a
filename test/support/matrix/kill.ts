import type { Hosts } from './hosts.ts';
import { endOf, judge } from './judge.ts';
import { type Cell, record } from './play.ts';
import { openProcessParty, type ProcessParty } from './process-party.ts';
import type { End } from './scenario.ts';
import type { Side } from './sides.ts';
import type { MatrixWorld } from './world.ts';

/** Who ends when one of them comes by some input or output. */
export type Kill = {
  readonly victims: readonly Side[];
  readonly trigger: Side;
  /** A regular expression: which inputs and outputs count, such as `^broadcast after`; each counts before it and after it. */
  readonly of: string;
  /** Which of them, from 1. */
  readonly at: number;
};

export type Killed = {
  /** What is not as the rules say; empty when all is. */
  readonly findings: readonly string[];
  readonly end: End;
  /** What each side came by. */
  readonly passed: ReadonlyMap<Side, readonly string[]>;
  /** At what the kill was; null where it never came to it. */
  readonly fellAt: string | null;
};

/** Plays a scenario between processes, some of which may be killed and are then started again over their logs. */
export async function playKilled(
  world: MatrixWorld,
  { pair, scenario, hosts, kill }: Cell & { readonly hosts: Hosts; readonly kill: Kill | null },
): Promise<Killed> {
  const passed = new Map<Side, readonly string[]>();
  const parties = new Map<Side, ProcessParty>();
  const victims = () => kill?.victims.flatMap((side) => parties.get(side) ?? []) ?? [];
  let fellAt: string | null = null;
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
        return party;
      },
      kills: true,
      onBegin() {
        for (const [side, party] of parties) {
          const { of, at } = kill ?? { of: '', at: 0 };
          const along = victims().flatMap((other) => (other === party ? [] : other.pid()));
          party.count(kill?.trigger === side ? { of, at, along } : null);
        }
      },
      onEnd() {
        for (const [side, party] of parties) passed.set(side, party.passed());
        if (kill !== null) fellAt = parties.get(kill.trigger)?.fellAt() ?? null;
      },
    },
  );
  return { findings: judge(found), end: endOf(found.ledgers), passed, fellAt };
}
