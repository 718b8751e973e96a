import type { EventLog } from '../../ports/event-log.ts';
import { isJsonObject } from '../../primitives/json.ts';
import type { SwapStatus } from '../../runtime/operate/status.ts';
import { waitsForPerson } from '../findings.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { cutOf, uuidOf, withOfflineRuntime } from '../offline-runtime.ts';
import { createOutput } from '../output.ts';
import { clean, styleOf, wrap } from '../render/text.ts';
import { errorRow, jsonLine } from '../rows.ts';
import { stepOf } from '../unsure.ts';
import { complain } from '../voice.ts';

export type RecoverOptions = { readonly log: string; readonly json?: boolean; readonly reason?: string };

/**
 * `swapfold recover`: orders the recovery of a swap's funds, from whatever state in which there may be something to recover. The order is an event of the
 * log; the node that has both coins active looks at the chains and takes the one action that is legal.
 */
export async function recoverCommand(
  given: string,
  { io, log, json = false, reason }: RecoverOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  const output = createOutput(io.stdout);
  const { columns } = styleOf(io);
  const status = await withOfflineRuntime({ path: log, use: 'write', io }, async (runtime, opened) => {
    const uuid = await uuidOf(opened, given);
    const cut = cutOf(opened);
    const known = await runtime.status(uuid);
    const settled = known === null || cut !== undefined ? null : await settledText(known, opened);
    if (settled === null) await runtime.recoverFunds(uuid, reason);
    return { uuid, cut, settled, ...(settled === null ? await runtime.status(uuid) : known) };
  });
  const { uuid, outcome = null, cut, settled } = status;
  if (settled !== null) {
    const text = `Nothing was ordered: ${settled}`;
    if (json) await output.write(jsonLine({ uuid, ordered: false, outcome, next: null, reason: settled }));
    else await output.write(`${wrap(text, { columns })}\n`);
    await output.flush();
    return EXIT.ok;
  }
  const next = stepOf(status.next ?? null, cut !== undefined);
  const failed = cut === undefined ? {} : { error: errorRow(cut) };
  if (json) await output.write(jsonLine({ uuid, ordered: true, outcome, next, ...failed }));
  else {
    const then = next === null ? '' : `\n${wrap(next.text, { columns })}`;
    const text = 'Recovery is ordered. The next node that opens this log with both coins active carries it out.';
    await output.write(`${wrap(text, { columns })}${then}\n`);
  }
  if (cut !== undefined) complain(io, `swapfold: ${clean(`${cut.shortMessage} ${cut.next ?? ''} [${cut.code}]`)}\n`);
  await output.flush();
  return cut === undefined && !waitsForPerson({ outcome, next: status.next ?? null }) ? EXIT.ok : EXIT.findings;
}

/** Why a swap has nothing to recover; null where it may have. A claim or a refund that nothing confirmed may still be lost, and be made again. */
async function settledText({ stream, role, outcome }: SwapStatus, log: EventLog): Promise<string | null> {
  const records = await log.read(stream);
  if (outcome === 'failed-before-payment') {
    // What was handed to the network, or stands where nobody reads it, may be on the chain whatever became of the swap.
    const paid = role === 'taker' ? 'TakerPaymentSent' : 'MakerPaymentSent';
    const mayHavePaid = records.some(({ type, data }) => type === paid || isPayment(type, data));
    return mayHavePaid ? null : `the ${role} has locked nothing in this swap.`;
  }
  if (outcome !== 'completed' && outcome !== 'refunded') return null;
  const other = role === 'taker' ? 'maker' : 'taker';
  const end = outcome === 'completed' ? { payment: other, how: 'claimed' } : { payment: role, how: 'refunded' };
  const confirmed = other === 'maker' ? 'MakerPaymentSpendConfirmed' : 'TakerPaymentSpendConfirmed';
  const isFinal = records.some(({ type, data }) => {
    if (type === confirmed) return outcome === 'completed';
    return (
      type === 'PaymentSettled' && isJsonObject(data) && data['payment'] === end.payment && data['how'] === end.how
    );
  });
  if (!isFinal) return null;
  return outcome === 'completed' ? `the ${role} has received the other coin.` : `the payment of the ${role} came back.`;
}

function isPayment(type: string, data: unknown): boolean {
  return type === 'BroadcastAttempted' && isJsonObject(data) && data['purpose'] === 'payment';
}
