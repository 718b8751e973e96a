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

  it('has a heading and a table of its own for each subject, in the order of the report', () => {
    const [introduction = '', ...sections] = auditReference().split('\n## ');
    expect(introduction.startsWith('# Audit\n\n')).toBe(true);
    const limits = sections.pop() ?? '';
    expect(sections.map((section) => section.split('\n')[0])).toEqual(documentedRules.map(({ title }) => title));
    for (const [index, section] of sections.entries()) {
      const [, empty, head, line, ...rows] = section.split('\n');
      expect([empty, head, line]).toEqual([
        '',
        '| check | what is held against what | source |',
        '| --- | --- | --- |',
      ]);
      const expected = documentedRules[index]?.rules.map(
        ({ check, describes, source }) => `| \`${check}\` | ${describes} | ${source} |`,
      );
      expect(rows).toEqual([...(expected ?? []), '']);
    }
    expect(limits).toMatch(
      /^What no audit can notice\n\nA test changes every member of every recorded swap[^|]*\.\n\n\|/,
    );
    const table = limits.slice(limits.indexOf('|')).split('\n');
    expect(table.slice(0, 2)).toEqual(['| limit | change | why it goes unnoticed |', '| --- | --- | --- |']);
    expect(table.slice(2)).toEqual([
      ...auditLimits.map(({ limit, change, reason }) => `| \`${limit}\` | ${change} | ${reason} |`),
      '',
    ]);
  });
});
