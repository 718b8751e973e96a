import { writeSync } from 'node:fs';
import { isJournalType } from '../../events/journal.ts';
import { fromBaseUnits } from '../../primitives/decimal.ts';
import type { Millis } from '../../primitives/time.ts';
import type { SentName } from '../demo/chains.ts';
import { type Demo, type DemoEntry, openDemo } from '../demo/demo.ts';
import { logPath, SIDES, type Side } from '../demo/side.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { createOutput, type Output } from '../output.ts';
import { type DemoMoney, demoEnding, demoEntryText, demoHeading, presenceText } from '../render/demo.ts';
import { styleOf } from '../render/text.ts';
import { jsonLine } from '../rows.ts';

export type SwapOptions = {
  readonly dir: string;
  readonly scenario: string;
  readonly seed: number;
  /** A number of an input or output, or what the network has just been given. */
  readonly killAt?: number | SentName;
  /** Minutes of the virtual clock. */
  readonly away: number;
  readonly journal?: boolean;
  readonly json?: boolean;
};

/**
 * `swapfold swap`: one live swap between two engines on simulated chains, over durable logs. With `--kill-at` the process
 * really dies there; the same command goes on with what it left.
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
  let began: Millis | undefined;
  const show = ({ side, entry }: DemoEntry): void => {
    const { envelope } = entry;
    began ??= envelope.at;
    if (json) output.put(jsonLine({ kind: 'event', side, position: entry.position, ...envelope }));
    else if (journal || !isJournalType(envelope.type)) output.put(demoEntryText({ side, envelope, began }, style));
  };
  const presence = (side: Side, present: boolean): void => {
    const at = (demo?.clock.now() ?? 0) as Millis;
    if (json) output.put(jsonLine({ kind: present ? 'back' : 'gone', side, at }));
    else output.put(presenceText({ side, present, at, began: began ?? at }, style));
  };
  demo = await openDemo({
    dir: options.dir,
    scenario: options.scenario,
    seed: options.seed,
    awayFor: options.away * 60_000,
    onOpen: (opened) => {
      if (!json) output.put(demoHeading({ opened, dir: options.dir }, style));
    },
    onEntry: show,
    onPresence: presence,
    onBoundary: (number, sent) => {
      boundaries = number;
      if (number === options.killAt || (sent !== undefined && sent === options.killAt))
        dieNow(output, { json, number });
    },
  });
  while (await demo.step()) await output.flush();
  const money = SIDES.map((side) => moneyOf(demo, side));
  const sound = await finish(demo);
  if (json) {
    for (const row of money) output.put(jsonLine({ kind: 'money', ...row }));
    output.put(jsonLine({ kind: 'end', boundaries }));
  } else output.put(demoEnding({ demo, money, paths: SIDES.map((side) => logPath(options.dir, side)) }, style));
  await output.flush();
  return sound ? EXIT.ok : EXIT.findings;
}

/** The process ends as if its power were cut: nothing is cleaned up. What was shown is what was durable. */
function dieNow(output: Output, { json, number }: { readonly json: boolean; readonly number: number }): void {
  const text = `\nKilled at input or output ${number}. Run the same command without --kill-at to go on.\n`;
  output.put(json ? jsonLine({ kind: 'killed', at: number }) : text);
  // Written by the system call itself: nothing of this process runs after the signal.
  writeSync(process.stdout.fd, output.held());
  process.kill(process.pid, 'SIGKILL');
}

function moneyOf({ world, uuid }: Demo, side: Side): DemoMoney {
  const held = (chain: Side) => ({
    coin: world.chains[chain].coin,
    before: fromBaseUnits(world.chains[chain].ledger.funded(side)),
    after: fromBaseUnits(world.chains[chain].ledger.balance(side).confirmed),
    fees: fromBaseUnits(world.chains[chain].ledger.feesPaid(side)),
  });
  return { side, uuid, maker: held('maker'), taker: held('taker') };
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
