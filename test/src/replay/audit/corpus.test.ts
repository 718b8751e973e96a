import { expect, it } from 'vitest';
import { decodeSwapsText } from '../../../../src/events/wrappers.ts';
import { auditSwap } from '../../../../src/replay/audit/audit-swap.ts';
import type { AuditCheck } from '../../../../src/replay/audit/report.ts';
import { describeShared, type ManifestRow, manifest, readShared } from '../../../support/shared.ts';

/** A text put together by hand: its refund repeats the taker's payment, and so takes no payment of the maker. */
const PUT_TOGETHER_BY_HAND = 'maker-f87fa9ce-MakerPaymentRefunded-Finished';

describeShared('the audit of recorded swaps', () => {
  const paid = (row: ManifestRow, fact: string) =>
    Object.values(row.htlc ?? {}).filter((payment) => payment[fact] === true).length;
  const total = { scripts: 0, ids: 0, secrets: 0, fees: 0, hashOutputs: 0 };

  for (const row of manifest()) {
    const [swap] = decodeSwapsText(readShared(`swaps/${row.file}`));
    if (swap === undefined || !swap.ok) continue;
    const { checks } = auditSwap(swap.log);
    const verified = (check: string) => checks.filter((one) => one.check === check && one.status === 'verified').length;

    it(`${row.file} contradicts itself nowhere, and confirms what is known to be right`, () => {
      const violations = checks.filter(({ status }) => status === 'violated');
      if (row.file.startsWith(PUT_TOGETHER_BY_HAND)) expectRefundThatIsNone(violations);
      else expect(violations).toEqual([]);
      expect(verified('payment-script')).toBeGreaterThanOrEqual(paid(row, 'p2shMatches'));
      expect(verified('payment-amount')).toBeGreaterThanOrEqual(paid(row, 'valueMatches'));
      expect(verified('payment-hash-output')).toBe(paid(row, 'opReturnSecretHash'));
      expect(verified('transaction-id')).toBe(row.txidMatches + row.txidNotDsha256);
      if (row.secretMatchesHash === true) expect(verified('secret')).toBeGreaterThan(0);
      if (row.dexFee?.match === true) expect(verified('dex-fee')).toBe(1);
    });
    total.scripts += verified('payment-script');
    total.ids += verified('transaction-id');
    total.secrets += verified('secret');
    total.fees += verified('dex-fee');
    total.hashOutputs += verified('payment-hash-output');
  }

  it('verified as much as the manifest of the swaps does', () => {
    const rows = manifest();
    const sum = (count: (row: ManifestRow) => number) => rows.reduce((so_far, row) => so_far + count(row), 0);
    expect(total.scripts).toBeGreaterThanOrEqual(sum((row) => paid(row, 'p2shMatches')));
    expect(total.ids).toBe(sum((row) => row.txidMatches + row.txidNotDsha256));
    expect(total.secrets).toBeGreaterThanOrEqual(rows.filter((row) => row.secretMatchesHash === true).length);
    expect(total.fees).toBeGreaterThanOrEqual(rows.filter((row) => row.dexFee?.match === true).length);
    expect(total.hashOutputs).toBe(sum((row) => paid(row, 'opReturnSecretHash')));
    expect(total.scripts).toBeGreaterThan(100);
  });
});

function expectRefundThatIsNone(violations: readonly AuditCheck[]): void {
  expect(violations.map(({ check }) => check)).toEqual(['spend-outpoint', 'spend-script', 'refund-lock']);
  expect(new Set(violations.map(({ seq }) => seq)).size).toBe(1);
}
