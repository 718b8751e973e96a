import { incidents } from '../../../dist/src/sim/incidents/pack.js';
import { RULES } from '../../../dist/src/sim/world/judge.js';
import { GENERATED, table } from './markdown.mjs';

export function incidentsPage() {
  const rows = incidents.map(({ id, source, system, title, what, shape, outcome }) => [
    `[${id}](${source})`,
    system,
    `${sentence(title)} ${what}`,
    shape,
    outcome,
  ]);
  const plays = incidents.flatMap(({ id, parts }) =>
    parts.map((part) =>
      'rule' in part
        ? [`\`${id}\``, part.name, 'a rule without a swap', '', '']
        : [
            `\`${id}\``,
            part.name,
            ...['maker', 'taker'].map((party) => endOf(part.ending[party])),
            neverOf(part.ending),
          ],
    ),
  );
  return [
    '# Incidents',
    '',
    GENERATED,
    '',
    'These incidents went wrong in other swap systems; this package replays them. Each incident is a set of',
    'scenarios with a named seed: plain data that plays the cause in the simulated world, and the ending that',
    'the engine must reach. An incident also fails if its cause has no effect.',
    '',
    '```ts',
    "import { runIncident } from 'swapfold/testing';",
    '',
    "const { ok, problems } = runIncident('kdf-510');",
    'console.log(ok, problems);',
    '```',
    '',
    '```text',
    'true []',
    '```',
    '',
    `There are ${incidents.length} incidents in ${plays.length} parts. \`runIncident(id, { seed })\` uses another seed, which must end in the`,
    'same way. `behaviours` substitutes your own engine; one with the mistake that caused the incident fails.',
    '',
    table(['incident', 'system', 'what happened there', 'the replay', 'the outcome here'], rows),
    '',
    '## Endings',
    '',
    'For each side the table lists what the chains say about its money, the final state of its machine unless',
    'that is `finished`, and what its log holds, in this order. A record that belongs to a transaction shows',
    'the purpose of that transaction.',
    '',
    table(['incident', 'play', 'maker', 'taker', 'in no log'], plays),
    '',
    '## What holds in every play',
    '',
    ...Object.entries(RULES).map(([id, text]) => `- **${id}** ${text}`),
    '',
  ].join('\n');
}

function sentence(title) {
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}.`;
}

function endOf({ money, state = 'finished', log = [] }) {
  const what = [money].flat().join(' or ');
  const where = state === 'finished' ? '' : `, in \`${state}\``;
  return `${what}${where}${log.length === 0 ? '' : `; ${named(log)}`}`;
}

function neverOf({ maker, taker }) {
  return named([...new Set([...(maker.never ?? []), ...(taker.never ?? [])])]);
}

function named(labels) {
  return labels.map((label) => `\`${label}\``).join(', ');
}
