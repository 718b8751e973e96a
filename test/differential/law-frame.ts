/** What one chain says to a draft where the other one says something else, and why that stays. */
export type Difference<Verdict, Met> = {
  readonly name: string;
  /** Why it stays. */
  readonly why: string;
  readonly applies: (here: Verdict, there: Verdict, met: Met) => boolean;
};

/** Of two faults each chain names the one that it looks at first. */
export function orderOf<Verdict, Met>(faultsOf: (met: Met) => ReadonlySet<Verdict>): Difference<Verdict, Met> {
  return {
    name: 'order',
    why: 'of two faults each names the one that it looks at first, and both refuse',
    applies: (here, there, met) => {
      const faults = faultsOf(met);
      return faults.size > 1 && faults.has(here) && faults.has(there);
    },
  };
}

/** One sequence that was played on both chains. */
export type PlayedSequence = {
  /** By what both said, or by the name of the difference, how often. */
  readonly verdicts: ReadonlyMap<string, number>;
  readonly findings: readonly unknown[];
  /** Whether it was given up because the chains went different ways for a named reason. */
  readonly apart: boolean;
};

type Turn = { readonly turn: string };

type Drawn = { readonly turns: readonly Turn[] };

/** Sequences that are played side by side. */
export type PlayedBatch<Each extends Turn, Sequence> = {
  readonly sequences: readonly Sequence[];
  round(turn: Each): Promise<void>;
  end(): Promise<void>;
};

export type Tally = {
  readonly verdicts: Map<string, number>;
  readonly turns: Record<string, number>;
  readonly findings: unknown[];
  apart: number;
};

type Playing<Plan extends Drawn, Sequence> = {
  readonly plans: readonly Plan[];
  readonly begin: (plan: Plan) => Promise<PlayedBatch<Plan['turns'][number], Sequence>>;
  /** Hears of each sequence when its batch is over. @defaultValue nobody does */
  readonly ended?: (sequence: Sequence) => void;
};

/** Plays all plans, one after the other, and counts what was said and found. */
export async function playLaws<Plan extends Drawn, Sequence extends PlayedSequence>({
  plans,
  begin,
  ended = () => undefined,
}: Playing<Plan, Sequence>): Promise<Tally> {
  const tally: Tally = { verdicts: new Map(), turns: {}, findings: [], apart: 0 };
  for (const plan of plans) {
    const batch = await begin(plan);
    for (const each of plan.turns) {
      tally.turns[each.turn] = (tally.turns[each.turn] ?? 0) + 1;
      await batch.round(each);
    }
    await batch.end();
    for (const sequence of batch.sequences) {
      for (const [name, count] of sequence.verdicts) tally.verdicts.set(name, (tally.verdicts.get(name) ?? 0) + count);
      tally.findings.push(...sequence.findings);
      if (sequence.apart) tally.apart += 1;
      ended(sequence);
    }
  }
  return tally;
}

/** Tells what was counted, where the count of sequences is asked for by name. */
export function tell({ verdicts, turns, apart }: Tally, more: Readonly<Record<string, number>> = {}): void {
  if (process.env['SWAPFOLD_LAWS'] === undefined) return;
  const told = { ...Object.fromEntries([...verdicts].sort()), ...more, turns, apart };
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

/** What was said for which there is no name. */
export function unnamed({ verdicts }: Tally, names: readonly string[]): readonly string[] {
  return [...verdicts.keys()].filter((name) => !names.includes(name));
}
