import type { MachineEvent } from '../../machines/definition.ts';
import type { Millis } from '../../src/primitives/time.ts';

/**
 * An event with a payload that every recipe of the swap machines can take. For tests about order alone; payloads that
 * hold real transactions come from the swap builder.
 */
export function syntheticEvent(type: string, at: number): MachineEvent {
  const tx = { tx_hex: 'aa', tx_hash: 'bb'.repeat(32) };
  return {
    type,
    at: at as Millis,
    data: { ...tx, error: `failure at ${at}`, transaction: tx, secret: 'cc'.repeat(32), wait_until: 1_700_000_000 },
  };
}

export function syntheticEvents(types: readonly string[]): MachineEvent[] {
  return types.map((type, index) => syntheticEvent(type, 1_600_000_000_000 + index * 1000));
}
