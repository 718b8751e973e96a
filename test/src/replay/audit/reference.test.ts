import { describe, expect, it } from 'vitest';
import { auditLimits } from '../../../../src/replay/audit/limits.ts';
import { auditReference } from '../../../../src/replay/audit/reference.ts';
import { documentedRules } from '../../../../src/replay/audit/registry.ts';

const rules = documentedRules.flatMap((subject) => subject.rules);

describe('the reference of the audit', () => {
  it('names every check and every limit once, in a row of its own', () => {
    const lines = auditReference().split('\n');
    for (const id of [...rules.map(({ check }) => check), ...auditLimits.map(({ limit }) => limit)]) {
      expect(lines.filter((line) => line.startsWith(`| \`${id}\` |`))).toHaveLength(1);
    }
  });

  it('describes each check in sentences that end, without breaking the table', () => {
    for (const { describes, source } of rules) {
      expect(describes).toMatch(/^[A-Z][^|\n]*\.$/);
      expect(source).toMatch(/^[^|\n]+$/);
    }
  });
});
