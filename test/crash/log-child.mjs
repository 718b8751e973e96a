// Opens a log and appends to it until it is killed or an append fails. Says on standard output, at once, what was acknowledged.
// Arguments: URL of the built adapter, path of the log, seed, and for one that writes as a busy node does: after how many swaps of each client it
// keeps the log open and writes nothing more. Without that it writes as fast as it can.
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const [, , module, path, seed, swaps] = process.argv;
const last = swaps === undefined ? Number.POSITIVE_INFINITY : Number(swaps);
/** Between the appends of a client. */
const REST_MS = 10;
const { openSqliteLog } = await import(module);
const log = await openSqliteLog({ path });
const say = (line) => writeSync(1, `${line}\n`);
say('open');

const CLIENTS = 8;

// What a record holds follows from its place, so that one that nobody appended would show.
export const recordAt = (stream, seq) => ({
  at: 1_700_000_000_000 + seq,
  type: `Step${seq % 5}`,
  version: 1,
  data: { stream, seq, filler: 'x'.repeat((seq * 397) % 6000) },
});

async function client(number) {
  for (let swap = 0; swap < last; swap++) {
    const stream = `taker-swap/${seed}-${number}-${swap}`;
    for (let length = 0; length < 20; ) {
      const count = 1 + ((length + number) % 3);
      const records = Array.from({ length: count }, (_, index) => recordAt(stream, length + index));
      const labels = { state: `after ${length + count}` };
      const envelopes = await log.append({ stream, expected: length, records, labels });
      length += count;
      say(`${stream} ${length} ${envelopes.at(-1).hash}`);
      if (swaps !== undefined) await pause(REST_MS);
    }
  }
}

await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number))).catch(({ code }) =>
  say(`failed ${code}`),
);
if (swaps === undefined) process.exit(0);
say(`holds ${log.end()}`);
setInterval(() => {}, 1_000_000);
