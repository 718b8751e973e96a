import { EPOCH } from '../world/scenario.ts';
import { happenAt, type Timeline } from './host.ts';
import type { Process } from './process.ts';

const ORDERS = {
  pause: 'pause',
  resume: 'resume',
  retry: 'retryNow',
  recover: 'recoverFunds',
  cancelRecovery: 'cancelRecovery',
} as const;

type Order = { readonly uuid: string; readonly action: keyof typeof ORDERS };

/** Operators whose order was not accepted ask again at the next full minute; in milliseconds. */
const ASK_AGAIN = 60_000;

/** Gives the orders of a party's operator that concern the swaps of a process. */
export function planOrders(timeline: Timeline, process: Process): void {
  const waiting: Order[] = [];
  for (const { at, swap, action } of process.party.orders) {
    const uuid = process.told.find(({ index }) => index === swap)?.request.uuid;
    if (uuid === undefined) continue;
    happenAt(timeline, { at: (EPOCH + at) * 1000 }, () => {
      waiting.push({ uuid, action });
      if (waiting.length === 1) give(timeline, process, waiting);
    });
  }
}

/**
 * Gives the first waiting order. If the process is dead, dies over it, or its log does not answer, the operator asks again, and keeps later orders
 * back. A refused order, such as one for a swap that the log does not hold yet, is dropped.
 */
function give(timeline: Timeline, process: Process, waiting: Order[]): void {
  const order = waiting[0];
  if (order === undefined) return;
  const { runtime, life } = process;
  const at = (Math.floor(timeline.now / ASK_AGAIN) + 1) * ASK_AGAIN;
  happenAt(timeline, { at }, () => {
    if (waiting[0] === order) give(timeline, process, waiting);
  });
  if (runtime === null) return;
  timeline.stirred = true;
  const heard = () => {
    if (waiting[0] !== order || life.over) return;
    waiting.shift();
    give(timeline, process, waiting);
  };
  const done = () => {
    if (!life.over && !isRecorded(process, order)) {
      const text = `an order to ${order.action} was taken, and the log does not hold it`;
      process.untruths.push({ rule: 'M11', swap: null, text });
    }
    heard();
  };
  runtime[ORDERS[order.action]](order.uuid, 'drawn').then(done, (error: unknown) => {
    if ((error as { readonly code?: string }).code !== 'LOG_UNAVAILABLE') heard();
  });
}

/** Whether a log of the swap holds the order. */
function isRecorded({ log }: Process, { uuid, action }: Order): boolean {
  return log.find({ eventType: 'OperatorActed' }).some(({ stream }) => {
    if (!stream.endsWith(`/${uuid}`)) return false;
    return log.read(stream).some(({ type, data }) => {
      return type === 'OperatorActed' && (data as { readonly action: string }).action === action;
    });
  });
}
