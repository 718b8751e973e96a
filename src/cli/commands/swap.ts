import { writeSync } from 'node:fs';
import { isJournalType } from '../../events/journal.ts';
import type { Millis } from '../../primitives/time.ts';
import { type Demo, type DemoEntry, openDemo } from '../demo/demo.ts';
import { moneyOf, paymentsOf } from '../demo/money.ts';
import type { SentName } from '../demo/sent-names.ts';
import { createPicker, createSecretGuard } from '../demo/shown.ts';
import { logPath, SIDES, type Side } from '../demo/side.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { createOutput, type Output } from '../output.ts';
import { demoEnding, demoEntryText, demoHeading, presenceText, unkilledText } from '../render/demo.ts';
import { type Style, styleOf } from '../render/text.ts';
import { jsonLine } from '../rows.ts';

export type SwapOptions = {
  readonly dir: string;
  /** Of a new swap. */
  readonly scenario?: string;
  readonly seed?: number;
  /** A number of an input or output, or what the network has just been given. */
  readonly killAt?: number | SentName;
  /** Minutes of the virtual clock. */
  readonly away: number;
  readonly journal?: boolean;
  readonly json?: boolean;
};

/**
 * `swapfold swap`: one live swap between two engines on simulated chains, over durable logs. With `--kill-at` the
 * process really dies there; the same command resumes what it left.
 */
export async function swapCommand({
  io,
  json = false,
  journal = false,
  ...options
}: SwapOptions & { readonly io: CliIo }): Promise<ExitCode> {
  const output = createOutput(io.stdout);
  const style = styleOf(io);
  let boundaries = 0;
  let demo: Demo | undefined;
  const now = () => (demo?.clock.now() ?? 0) as Millis;
  const isQuiet = io.verbosity === 'quiet';
  const stage = createStage({ output, style, json, journal, isQuiet, now });
  demo = await openDemo({
    dir: options.dir,
    ...(options.scenario === undefined ? {} : { scenario: options.scenario }),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    awayFor: options.away * 60_000,
    onOpen: (opened) => {
      stage.keep(opened.secret);
      if (!json && !isQuiet) output.put(demoHeading({ opened, dir: options.dir }, style));
    },
    onEntry: stage.show,
    onPresence: stage.presence,
    onBoundary: (number, sent) => {
      boundaries = number;
      if (number === options.killAt || (sent !== undefined && sent === options.killAt))
        dieNow(output, { json, number, killAt: options.killAt ?? number });
    },
  });
  while (await demo.step()) await output.flush();
  return conclude(demo, { ...options, json, boundaries, output, style });
}

type StageOptions = Required<Pick<SwapOptions, 'json' | 'journal'>> & {
  /** What happens is not told as it happens. */
  readonly isQuiet: boolean;
  readonly output: Output;
  readonly style: Style;
  readonly now: () => Millis;
};

/** Puts what happens on the screen, or into lines of JSON. */
function createStage({ output, style, json, journal, isQuiet, now }: StageOptions) {
  const pick = createPicker({ journal });
  let secret = '';
  const guard = createSecretGuard(() => secret);
  let began: Millis | undefined;
  return {
    /** The secret stays hidden until it is public. */
    keep(given: string): void {
      secret = given;
    },
    show({ side, entry }: DemoEntry): void {
      const { envelope } = entry;
      began ??= envelope.at;
      const shown = pick({ side, envelope });
      const data = guard({ side, envelope });
      if (!json) {
        if (shown !== null && !isQuiet) output.put(demoEntryText({ side, envelope, began, note: shown.note }, style));
      } else if (journal || !isJournalType(envelope.type)) {
        output.put(jsonLine({ kind: 'event', side, position: entry.position, ...envelope, data }));
      }
    },
    presence(side: Side, present: boolean): void {
      const at = now();
      if (json) output.put(jsonLine({ kind: present ? 'back' : 'gone', side, at }));
      else if (!isQuiet) output.put(presenceText({ side, present, at, began: began ?? at }, style));
    },
  };
}

type Conclusion = Pick<SwapOptions, 'dir' | 'killAt'> & {
  readonly json: boolean;
  readonly boundaries: number;
  readonly output: Output;
  readonly style: Style;
};

/** Closes the logs and tells where the money is. */
async function conclude(demo: Demo, { dir, killAt, json, boundaries, output, style }: Conclusion): Promise<ExitCode> {
  const money = moneyOf(demo);
  const payments = paymentsOf(demo);
  const sound = await finish(demo);
  if (json) {
    const unreached = killAt === undefined ? {} : { notKilledAt: killAt };
    for (const row of money) output.put(jsonLine({ kind: 'money', ...row }));
    output.put(jsonLine({ kind: 'end', boundaries, payments, ...unreached }));
  } else {
    output.put(demoEnding({ money, payments, paths: SIDES.map((side) => logPath(dir, side)) }, style));
    if (killAt !== undefined) output.put(unkilledText({ killAt, boundaries }, style));
  }
  await output.flush();
  return sound && killAt === undefined ? EXIT.ok : EXIT.findings;
}

/** The process ends as if its power were cut: nothing is cleaned up. What was shown is what was durable. */
function dieNow(
  output: Output,
  { json, number, killAt }: { readonly json: boolean; readonly number: number; readonly killAt: number | SentName },
): void {
  const when = killAt === number ? `at input or output ${number}` : `when the network had just got the ${killAt}`;
  const text = `\nKilled ${when}. Run the same command without --kill-at to go on.\n`;
  output.put(json ? jsonLine({ kind: 'killed', at: number }) : text);
  // Written by the system call itself: nothing of this process runs after the signal.
  writeSync(process.stdout.fd, output.held());
  process.kill(process.pid, 'SIGKILL');
}

async function finish(demo: Demo): Promise<boolean> {
  const verdicts = await Promise.all(SIDES.map((side) => demo.sides[side]?.runtime.status(demo.uuid) ?? null));
  await demo.close();
  return verdicts.every(
    (status) =>
      status === null ||
      status.outcome === 'completed' ||
      status.outcome === 'refunded' ||
      status.outcome === 'failed-before-payment',
  );
}
