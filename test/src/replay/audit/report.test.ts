import { describe, expect, it } from 'vitest';
import { type AuditCheck, findingsOf, reportOf } from '../../../../src/replay/audit/report.ts';

function collected(fill: (findings: ReturnType<typeof findingsOf>) => void): readonly AuditCheck[] {
  const checks: AuditCheck[] = [{ check: 'earlier', seq: 0, status: 'verified' }];
  fill(findingsOf('own', checks));
  return checks.slice(1);
}

describe('findings', () => {
  it('are put behind earlier ones, under the id of their check', () => {
    const checks = collected((findings) => {
      findings.verified(1);
      findings.verified(null, 'seen');
      findings.violated(2, { expected: 'this', found: 'that' });
      findings.violated(3, { expected: 'this', found: 'that', reason: 'why' });
      findings.notCheckable(4, 'not there');
    });
    expect(checks).toStrictEqual([
      { check: 'own', seq: 1, status: 'verified' },
      { check: 'own', seq: null, status: 'verified', found: 'seen' },
      { check: 'own', seq: 2, status: 'violated', expected: 'this', found: 'that' },
      { check: 'own', seq: 3, status: 'violated', expected: 'this', found: 'that', reason: 'why' },
      { check: 'own', seq: 4, status: 'notCheckable', reason: 'not there' },
    ]);
  });

  it('cut texts of more than 512 characters, and say how long they were', () => {
    const whole = 'a'.repeat(512);
    const cut = `${whole}… (513 characters)`;
    const checks = collected((findings) => {
      findings.verified(0, whole);
      findings.verified(0, `${whole}b`);
      findings.violated(0, { expected: `${whole}b`, found: whole });
      findings.violated(0, { expected: whole, found: `${whole}b` });
    });
    expect(checks.map(({ expected, found }) => [expected, found])).toEqual([
      [undefined, whole],
      [undefined, cut],
      [cut, whole],
      [whole, cut],
    ]);
  });
});

describe('a report', () => {
  it('counts its checks by their status', () => {
    const statuses = ['verified', 'verified', 'verified', 'violated', 'notCheckable', 'notCheckable'] as const;
    const checks = statuses.map((status) => ({ check: 'own', seq: 0, status }));
    expect(reportOf(checks)).toEqual({ verified: 3, violated: 1, notCheckable: 2, checks });
    expect(reportOf([])).toEqual({ verified: 0, violated: 0, notCheckable: 0, checks: [] });
  });
});
