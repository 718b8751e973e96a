import { describe, expect, it } from 'vitest';
import { isRefundable } from '../../../../src/htlc/lock-times.ts';
import type { PaymentView } from '../../../../src/ports/chain.ts';
import { type UnixSeconds, unixSecondsOf } from '../../../../src/primitives/time.ts';

describe('arkade-629: a height is not a moment', () => {
  const lock: UnixSeconds = unixSecondsOf(1_700_007_800);
  const view = { clock: unixSecondsOf(1_700_000_000), height: 850_000 } satisfies Partial<PaymentView>;

  it('the chain’s clock can be compared with a lock', () => {
    expect(isRefundable(lock, view.clock)).toBe(false);
  });

  it('a height cannot, and neither can a lock be taken for one', () => {
    // @ts-expect-error a count of blocks is no count of seconds
    expect(isRefundable(lock, view.height)).toBe(false);
    // @ts-expect-error nor in the other direction, where a height would read as decades overdue
    expect(isRefundable(view.height, view.clock)).toBe(true);
  });
});
