import { documentedRules } from '../../../dist/src/replay/audit/registry.js';
import { GENERATED, table } from './markdown.mjs';

export function auditPage() {
  const sections = documentedRules.map(({ title, rules }) => {
    const rows = rules.map(({ check, describes, source }) => [`\`${check}\``, describes, source]);
    return [`## ${title}`, '', table(['check', 'what is held against what', 'source of the rule'], rows), ''];
  });
  return [
    '# What the audit checks',
    '',
    GENERATED,
    '',
    'Each check says `verified`, `violated` (with `expected` and `found`) or `notCheckable` (with the `reason`), for the event at `seq` or',
    'for the whole log.',
    '',
    ...sections.flat(),
  ].join('\n');
}
