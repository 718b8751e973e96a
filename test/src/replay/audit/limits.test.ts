import { describe, expect, it } from 'vitest';
import { auditLimits } from '../../../../src/replay/audit/limits.ts';

describe('the limits of the audit', () => {
  it('are listed once each, under an id in kebab case', () => {
    const ids = auditLimits.map(({ limit }) => limit);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
  });

  it('say what is changed and why that goes unnoticed, in sentences that end', () => {
    for (const { change, reason } of auditLimits) {
      for (const text of [change, reason]) expect(text).toMatch(/^[A-Z`][^|\n]*\.$/);
    }
  });
});
