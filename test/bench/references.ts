import { open } from 'node:fs/promises';
import { initialTransition, transition } from 'xstate';
import type { MachineEvent } from '../../machines/definition.ts';
import { takerSwapChart } from '../../machines/taker-swap/machine.ts';
import { catalog } from '../../src/events/catalog.ts';
import type { TakerEvent } from '../../src/events/taker.ts';
import { readRange } from '../../src/log/files/read-range.ts';
import { type FoldPosition, step } from '../../src/replay/fold.ts';
import { swapMachines } from '../../src/replay/swaps.ts';

// What a reader would be without a scanner: each line is parsed as JSON. Both read the file as ours does, in chunks of
// 1 MiB with the next one under way.

type Line = MachineEvent & { readonly stream: string };

async function forEachLine(path: string, onLine: (line: Line) => void): Promise<void> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  let rest = Buffer.alloc(0);
  await readRange({ file, range: { start: 0, end: size }, chunkBytes: 1024 * 1024 }, (chunk) => {
    const bytes =
      rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length) : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let end = bytes.indexOf(10, at); end >= 0; end = bytes.indexOf(10, at)) {
      onLine(JSON.parse(bytes.toString('latin1', at, end)) as Line);
      at = end + 1;
    }
    rest = Buffer.from(bytes.subarray(at));
  });
  await file.close();
}

export type OnState = (stream: string, state: string) => void;

/** `JSON.parse` and the table: no validation, no verdict. */
export async function parseAndFold(path: string, onState: OnState): Promise<void> {
  const machine = swapMachines.taker;
  const onRefused = () => undefined;
  let stream = '';
  let seq = 0;
  let position: FoldPosition<unknown> | undefined;
  const close = () => {
    if (position !== undefined) onState(stream, machine.states[position.state] as string);
  };
  await forEachLine(path, (line) => {
    if (position === undefined || line.stream !== stream) {
      close();
      stream = line.stream;
      seq = 0;
      position = { state: machine.initial, context: machine.definition.initialContext() };
    }
    if (line.type === 'Imported') return;
    step(machine, position, { event: line, seq, onRefused });
    seq++;
  });
  close();
}

/** `JSON.parse`, the event's zod schema, and the chart's own `transition`. */
export async function parseAndTransition(path: string, onState: OnState): Promise<void> {
  let stream = '';
  let [snapshot] = initialTransition(takerSwapChart);
  await forEachLine(path, ({ stream: own, type, at, data }) => {
    if (own !== stream) {
      if (stream !== '') onState(stream, String(snapshot.value));
      stream = own;
      [snapshot] = initialTransition(takerSwapChart);
    }
    const payload = catalog.taker.get(type)?.payload;
    if (payload === undefined) return;
    const event = { type, at, data: payload.parse(data) } as TakerEvent;
    [snapshot] = transition(takerSwapChart, snapshot, event);
  });
  onState(stream, String(snapshot.value));
}
