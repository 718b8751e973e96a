import { auditLimits } from './limits.ts';
import { documentedRules } from './registry.ts';

const INTRODUCTION = `# Audit

The audit holds a stored swap against itself, with no chain, no key and no network. Every check says *verified*, *violated* (with
what was expected and what was found) or *notCheckable* (with the reason).

Violated means that two parts of the log contradict each other, or that a rule is broken which has no exception. A log that
passes is consistent; that does not prove that it happened.

\`\`\`json
{ "verified": 41, "violated": 0, "notCheckable": 2, "checks": [{ "check": "payment-script", "seq": 4, "status": "verified" }] }
\`\`\`

\`seq\` is the position of the event in its log, from 0, or null where the claim concerns the whole log. A secret never stands in
a report, only its hash.
`;

/** The reference page of the audit in Markdown, made of the registry and the list of limits. */
export function auditReference(): string {
  const subjects = documentedRules.map(({ title, rules }) => {
    const rows = rules.map(({ check, describes, source }) => `| \`${check}\` | ${describes} | ${source} |`);
    return [
      `## ${title}`,
      '',
      '| check | what is held against what | source |',
      '| --- | --- | --- |',
      ...rows,
      '',
    ].join('\n');
  });
  const limits = auditLimits.map(({ limit, change, reason }) => `| \`${limit}\` | ${change} | ${reason} |`);
  const table = ['| limit | change | why it goes unnoticed |', '| --- | --- | --- |', ...limits].join('\n');
  const heading =
    '## What no audit can notice\n\nA test changes every member of every recorded swap, one at a time, and fails when a change goes\nunnoticed that is not in this list.\n';
  return [INTRODUCTION, ...subjects, heading, `${table}\n`].join('\n');
}
