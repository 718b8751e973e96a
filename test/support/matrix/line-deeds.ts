import type { Leg } from './chain.ts';
import type { Party, PartyLine } from './party.ts';
import type { Deed } from './scenario.ts';
import type { Side } from './sides.ts';

/** What is done to the lines between parties and the node of a chain. */
export type LineDeed = Extract<Deed, { readonly do: 'outage' | 'halve' | 'slow' | 'past' }>;

type Among = {
  /** Those of the chain. */
  readonly legs: readonly Leg[];
  readonly parties: ReadonlyMap<Side, Party>;
  /** Undoes something after so many minutes. */
  readonly after: (minutes: number, undo: () => void) => void;
};

export function isLineDeed(deed: Deed): deed is LineDeed {
  return deed.do === 'outage' || deed.do === 'halve' || deed.do === 'slow' || deed.do === 'past';
}

export function performOnLines(deed: LineDeed, { legs, parties, after }: Among): void {
  const concerned = [...parties.values()].filter(
    (party) => deed.do === 'slow' || deed.side === undefined || party.side === deed.side,
  );
  const each = (act: (line: PartyLine, party: Party) => void): void => {
    for (const party of concerned) for (const leg of legs) act(party.lines[leg], party);
  };
  switch (deed.do) {
    case 'slow':
      each((line) => line.slow(deed.seconds));
      return;
    case 'outage':
      each((line) => line.cut(false));
      after(deed.minutes, () =>
        each((line, party) => {
          if (!party.isDead()) line.cut(true);
        }),
      );
      return;
    case 'halve':
      each((line) => line.halve(true));
      after(deed.minutes, () => each((line) => line.halve(false)));
      return;
    default:
      each((line) => line.past({ seconds: deed.seconds, mixed: deed.mixed }));
      after(deed.minutes, () => each((line) => line.past(null)));
  }
}
