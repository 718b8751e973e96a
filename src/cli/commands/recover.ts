import type { Role } from '../../events/catalog.ts';
import type { EventLog } from '../../ports/event-log.ts';
import { isJsonObject } from '../../primitives/json.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import { BEFORE_PAYMENT } from '../../replay/explain/handed-out.ts';
import type { SwapStatus } from '../../runtime/operate/status.ts';
import { isOverdue, LOST, waitsForPerson } from '../findings.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { cutOf, momentOfLog, sidesOf, uuidOf, withOfflineRuntime } from '../offline-runtime.ts';
import { createOutput } from '../output.ts';
import { clean, styleOf, wrap } from '../render/text.ts';
import { errorRow, jsonLine } from '../rows.ts';
import { lookAt, tellingRecords } from '../stream-log.ts';
import { stepOf } from '../unsure.ts';
import { complain } from '../voice.ts';

export type RecoverOptions = {
  readonly log: string;
  readonly json?: boolean;
  readonly reason?: string;
  /** Only this side, where the log holds both. */
  readonly role?: Role;
};

/** One side of the swap, and what became of the order there. */
type Side = {
  readonly status: SwapStatus;
  /** Why nothing is ordered; null where it is. */
  readonly settled: string | null;
  /** What the log does not know, but the order will find out; null if there is nothing. */
  readonly open: string | null;
  /** What the log calls the end of a payment is none by its bytes, so that someone must look. */
  readonly denied: boolean;
};

/**
 * `swapfold recover`: orders the recovery of a swap's funds, from whatever state in which there may be something to recover. The order is an event of the
 * log; the node that has both coins active looks at the chains and takes the one action that is legal.
 */
export async function recoverCommand(
  given: string,
  { io, log, json = false, reason, role }: RecoverOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  const output = createOutput(io.stdout);
  const { columns } = styleOf(io);
  const { sides, cut } = await withOfflineRuntime({ path: log, use: 'write', io }, async (runtime, opened) => {
    const uuid = await uuidOf(opened, given);
    const cut = cutOf(opened);
    const before = sidesOf(await runtime.sides(uuid), { uuid, role });
    const prospects = new Map<string, Prospect>();
    for (const status of before) {
      // What is missing at the end of a log may be what would have to be recovered.
      const prospect = cut === undefined ? await prospectOf(status, opened) : UNKNOWN;
      prospects.set(status.stream, prospect);
      if (prospect.settled === null) await runtime.recoverFunds(uuid, reason, status.role ?? undefined);
    }
    const after = sidesOf(await runtime.sides(uuid), { uuid, role });
    return { cut, sides: after.map((status): Side => ({ status, ...(prospects.get(status.stream) ?? UNKNOWN) })) };
  });
  const unsure = cut !== undefined;
  const failed = unsure ? { error: errorRow(cut) } : {};
  for (const { status, settled, open } of sides) {
    const { uuid, role, outcome } = status;
    const next = settled === null ? stepOf(status.next, unsure) : null;
    if (json) {
      const why = settled === null ? {} : { reason: settled };
      await output.write(jsonLine({ uuid, role, ordered: settled === null, outcome, next, ...why, ...failed }));
      continue;
    }
    const told =
      settled === null ? (unsure || open === null ? ORDERED : `${ORDERED} ${open}`) : `Nothing was ordered: ${settled}`;
    const head = sides.length === 1 ? told : `${role ?? 'unreadable'}: ${told}`;
    await output.write(`${wrap(head, { columns })}\n${next === null ? '' : `${wrap(next.text, { columns })}\n`}`);
  }
  if (unsure) complain(io, `swapfold: ${clean(`${cut.shortMessage} ${cut.next ?? ''} [${cut.code}]`)}\n`);
  await output.flush();
  const now = momentOfLog(log);
  return unsure || sides.some((side) => isFinding(side, now)) ? EXIT.findings : EXIT.ok;
}

function isFinding({ status, settled, denied }: Side, now: UnixSeconds): boolean {
  return (
    denied || status.outcome === 'lost' || (settled === null && (waitsForPerson(status) || isOverdue(status, now)))
  );
}

const ORDERED = 'Recovery is ordered. The next node that opens this log with both coins active carries it out.';

type Prospect = Omit<Side, 'status'>;

const UNKNOWN: Prospect = { settled: null, open: null, denied: false };

/** What of a swap there may be to recover. A claim or a refund that nothing confirmed may still be lost, and be made again. */
async function prospectOf(status: SwapStatus, log: EventLog): Promise<Prospect> {
  const { stream, role, outcome } = status;
  if (role !== 'taker' && role !== 'maker') return UNKNOWN;
  if (outcome === 'lost') return { ...UNKNOWN, settled: LOST };
  const records = await log.read(stream);
  if (outcome === 'failed-before-payment' || outcome === 'in-progress') {
    // What was handed to the network, or stands where nobody reads it, may be on the chain whatever became of the swap.
    const sent = role === 'taker' ? 'TakerPaymentSent' : 'MakerPaymentSent';
    const telling: readonly string[] = outcome === 'in-progress' ? [sent, BEFORE_PAYMENT[role]] : [sent];
    const mayHavePaid = records.some(({ type, data }) => telling.includes(type) || isPayment(type, data));
    return mayHavePaid ? UNKNOWN : { ...UNKNOWN, settled: `the ${role} has locked nothing in this swap.` };
  }
  const { end } = lookAt(status, tellingRecords(records));
  if (end === null) return UNKNOWN;
  const ended = `${end.how} of the ${end.payment} payment`;
  switch (end.shown) {
    case 'confirmed':
      return {
        ...UNKNOWN,
        settled:
          end.how === 'claim' ? `the ${role} has received the other coin.` : `the payment of the ${role} came back.`,
      };
    case 'unconfirmed':
      return {
        ...UNKNOWN,
        open: `The log does not show that the ${ended} is confirmed. If the chain shows it, there is nothing to recover and the order ends.`,
      };
    case 'denied':
      return {
        settled: null,
        denied: true,
        open: `The transaction that the log calls the ${ended} does not spend that payment. The node looks on the chain what did.`,
      };
  }
}

function isPayment(type: string, data: unknown): boolean {
  return type === 'BroadcastAttempted' && isJsonObject(data) && data['purpose'] === 'payment';
}
