import { watcherDefinition } from '../../../machines/watcher/definition.ts';
import { machineOfRole, type Role } from '../../events/catalog.ts';
import type { JournalPayloads } from '../../events/journal.ts';
import { type DecimalText, isDecimalText, toBigNumber } from '../../primitives/decimal.ts';
import { parseUuid } from '../../primitives/ids.ts';
import type { Leg } from '../command.ts';
import { draining, feeOrderInvalid, swapNotFound } from '../errors.ts';
import { submit } from '../loop/drive.ts';
import type { Loop } from '../loop/loop.ts';
import { fold, open, readStream } from '../loop/streams.ts';

export type OperatorAction = {
  readonly action: Exclude<Ordered['action'], 'allowFees'>;
  /** The reason, for later readers of the log. */
  readonly reason: string | null;
  /** Only this side. @defaultValue every stream of the swap */
  readonly role?: StreamRole;
};

/** On whose behalf a stream acts. */
export type StreamRole = Role | 'watcher';

type Ordered = JournalPayloads['OperatorActed'];

/** The limit of each fee of a swap on the chain of one of its coins. */
export type FeeAllowance = {
  /** One of the swap's two coins. */
  readonly coin: string;
  /**
   * The maximum, in units of the coin that pays the fees on that chain, if the policy's limit is lower; 0 cancels an
   * order. Null for no limit. A fee never exceeds what its claim or refund brings in the same coin.
   */
  readonly most: DecimalText | null;
  /** Why, for those who read the log later. @defaultValue none */
  readonly reason?: string;
};

const LONGEST_REASON = 500;

/**
 * Records what an operator wants, in any state; the runner acts on it because it is in the log.
 *
 * @throws RuntimeError SWAP_NOT_FOUND, LOG_UNAVAILABLE, RUNTIME_DRAINING, RUNNER_FAILED; LogDamagedError
 */
export async function operate(loop: Loop, uuid: string, { action, reason, role }: OperatorAction): Promise<void> {
  if (loop.draining) throw draining();
  const machine = role === undefined ? '' : `${role === 'watcher' ? watcherDefinition.id : machineOfRole[role]}/`;
  const streams = (await swapStreams(loop, uuid)).filter((stream) => stream.startsWith(machine));
  if (streams.length === 0) throw swapNotFound(uuid.slice(0, 100));
  const data = { action, reason: shortened(reason) };
  await Promise.all(streams.map((stream) => record(loop, stream, data)));
}

function shortened(reason: string | null | undefined): string | null {
  return reason?.slice(0, LONGEST_REASON) ?? null;
}

function record(loop: Loop, stream: string, data: Ordered): Promise<void> | undefined {
  const slot = open(loop, stream);
  return slot === undefined ? undefined : submit(loop, slot, [{ type: 'OperatorActed', data }]);
}

/**
 * Records how far the fees of one swap may exceed the policy's limit. Watches of others' swaps have their own fees.
 *
 * @throws RuntimeError FEE_ORDER_INVALID, SWAP_NOT_FOUND, LOG_UNAVAILABLE, RUNTIME_DRAINING, RUNNER_FAILED; LogDamagedError
 */
export async function allowFees(loop: Loop, uuid: string, { coin, most, reason }: FeeAllowance): Promise<void> {
  if (loop.draining) throw draining();
  if (most !== null && !isFee(most)) throw feeOrderInvalid('most', 'a decimal amount from 0 on, or null for no bound');
  const streams = (await swapStreams(loop, uuid)).filter((stream) => !stream.startsWith(`${watcherDefinition.id}/`));
  if (streams.length === 0) throw swapNotFound(uuid.slice(0, 100));
  const payments = await Promise.all(streams.map((stream) => legOf(loop, stream, coin)));
  const ordered = { action: 'allowFees', reason: shortened(reason) } as const;
  await Promise.all(
    streams.map((stream, index) =>
      record(loop, stream, { ...ordered, fees: { payment: payments[index] as Leg, most } }),
    ),
  );
}

function isFee(most: unknown): most is DecimalText {
  return typeof most === 'string' && isDecimalText(most) && toBigNumber(most).gte(0);
}

/** On which chain of a swap a coin is. */
async function legOf(loop: Loop, stream: string, coin: string): Promise<Leg> {
  const { coins } = loop.slots.get(stream)?.driven ?? fold(loop, stream, await readStream(loop, stream));
  if (coin === coins.maker) return 'maker';
  if (coin === coins.taker) return 'taker';
  throw feeOrderInvalid('coin', `${coins.maker} or ${coins.taker}`);
}

/**
 * The streams of a swap in the log: one, or two if both sides are on this node, plus its watches. There is more than
 * one watch if a stranger requested one under the same uuid.
 */
export async function swapStreams(
  loop: Loop,
  uuid: string,
  except: ReadonlySet<string> = new Set(),
): Promise<readonly string[]> {
  const id = parseUuid(uuid);
  if (id === undefined) return [];
  const found: string[] = [];
  for (const machine of [machineOfRole.taker, machineOfRole.maker, watcherDefinition.id]) {
    const stream = `${machine}/${id}`;
    if (!loop.kinds.has(machine) || except.has(stream)) continue;
    if (loop.slots.has(stream) || (await readStream(loop, stream)).length > 0) found.push(stream);
  }
  const others = [...loop.slots.values()].filter(({ driven }) => driven?.watched?.uuid === id);
  return [...new Set([...found, ...others.map(({ stream }) => stream)])];
}
