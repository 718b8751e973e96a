import { describe, expect, it } from 'vitest';
import { chainRules } from '../../../../src/replay/audit/chain.ts';
import { auditRules, auditSubjects, documentedRules } from '../../../../src/replay/audit/registry.ts';
import { sharingRules } from '../../../../src/replay/audit/sharing.ts';

describe('the registry of the audit', () => {
  const ids = documentedRules.flatMap(({ rules }) => rules.map(({ check }) => check));

  it('has each check once, under an id in kebab case', () => {
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
  });

  it('runs every check of its subjects, in their order', () => {
    expect(auditRules).toEqual(auditSubjects.flatMap(({ rules }) => rules));
    expect(auditRules.map(({ check }) => check)).toEqual(ids.slice(0, auditRules.length));
  });

  it('documents the checks of chained records last', () => {
    expect(documentedRules.at(-1)).toEqual({ title: 'Chained records', rules: chainRules });
    expect(documentedRules.at(-2)).toEqual({ title: 'Swaps that are read together', rules: sharingRules });
    expect(documentedRules.slice(0, -2)).toEqual(auditSubjects);
  });
});
