import type { NewEvent } from '../command.ts';
import type { Turn } from './turn.ts';

/** `WatcherMessageSent` with both preimages, if both could be made; otherwise nothing, and the swap continues. */
export function watcherPreimages({ swap, facts }: Turn): readonly NewEvent[] {
  const claim = facts.prepared.get('claimPreimage');
  const refund = facts.prepared.get('refundPreimage');
  if (swap.role !== 'taker' || claim === undefined || refund === undefined) return [];
  return [{ type: 'WatcherMessageSent', data: [byteNumbers(claim.tx_hex), byteNumbers(refund.tx_hex)] }];
}

/** The form of the stored event: numbers, not hex. */
export function byteNumbers(hex: string): number[] {
  const bytes: number[] = [];
  for (let index = 0; index < hex.length; index += 2) bytes.push(Number.parseInt(hex.slice(index, index + 2), 16));
  return bytes;
}

export function hexOfNumbers(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
