import { OPERATORS } from './operators.ts';
import { ROOMS } from './places.ts';
import type { Plant, Table } from './table.ts';

/** What a table says as a whole. */
export type Totals = {
  readonly plants: number;
  readonly equivalent: number;
  /** Plants that change what the package does. */
  readonly real: number;
  /** Of these, whose place a simulated swap passes at all. */
  readonly within: number;
  readonly sim: number;
  readonly simWithin: number;
  readonly checked: number;
  readonly checkedWithin: number;
  readonly all: number;
};

const bySim = ({ finders }: Plant) => finders.some(({ by }) => by === 'sim' || by === 'sim --runtime');
const byCheck = ({ finders }: Plant) => finders.some(({ by }) => by === 'check');

export function totalsOf({ plants }: Table): Totals {
  const real = plants.filter(({ equivalent }) => equivalent === undefined);
  const within = real.filter(({ reached }) => reached.length > 0);
  const count = (from: readonly Plant[], is: (plant: Plant) => boolean) => from.filter(is).length;
  const either = (plant: Plant) => bySim(plant) || byCheck(plant);
  return {
    plants: plants.length,
    equivalent: plants.length - real.length,
    real: real.length,
    within: within.length,
    sim: count(real, bySim),
    simWithin: count(within, bySim),
    checked: count(real, either),
    checkedWithin: count(within, either),
    all: count(real, ({ finders }) => finders.length > 0),
  };
}

const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

function code(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const short = line.length > 70 ? `${line.slice(0, 67)}...` : line;
  return short === '' || short === ';' ? 'nothing' : `\`${short.replaceAll('|', '\\|').replaceAll('`', "'")}\``;
}

/** Who was asked in vain: no suite that was not asked can be said to miss it. */
function askedOf({ looked }: Plant): string {
  const asked = Object.entries(looked).map(([name, to]) => (to > 1 ? `${name} up to ${to}` : name));
  return asked.length === 0 ? 'not searched' : `not found by ${asked.join(', ')}`;
}

function finderOf(plant: Plant): string {
  const { finders, equivalent, note } = plant;
  if (equivalent !== undefined) return `no change: ${equivalent}`;
  const said = finders.map(({ by, seed, where }) => {
    if (by === 'suite') return `\`${where?.replace(/^test\//, '')}\``;
    return seed === undefined ? `${by}, ${where}` : `${by}, seed ${seed}`;
  });
  if (note !== undefined) said.push(note);
  return said.length === 0 ? askedOf(plant) : said.join('; ');
}

const placeOf = ({ file, line }: Plant) => (line === null ? file : `${file}:${line}`);

function row(plant: Plant): string {
  const { operator, before, after } = plant;
  return `| ${placeOf(plant)} | ${operator} | ${code(before)} | ${code(after)} | ${finderOf(plant)} |`;
}

function summary(table: Table): string {
  const { real, within, sim, simWithin, checked, checkedWithin, all, plants, equivalent } = totalsOf(table);
  const light = table.plants.filter(({ finders }) => finders.some(({ by }) => by === 'sim')).length;
  return `| | plants | \`sim\` | \`sim\` and \`check\` | all suites |
| --- | --: | --: | --: | --: |
| change what the package does | ${real} | ${sim} (${percent(sim, real)}) | ${checked} (${percent(checked, real)}) | ${all} (${percent(all, real)}) |
| of these, passed by a simulated swap | ${within} | ${simWithin} (${percent(simWithin, within)}) | ${checkedWithin} (${percent(checkedWithin, within)}) | |

The draw has ${plants} plants; ${equivalent} of them change nothing visible, each for the reason in its row. Of those
that \`sim\` found, the light driver found ${light}. Markets on the shipped runtime (\`sim --runtime\`, up to
400 seeds) found the other ${sim - light}: mistakes in its driver, its wake-up heap, its reservations, its
operator orders, its request checks and its book of watches.`;
}

function tallied(table: Table, key: 'operator' | 'room', names: readonly string[]): string {
  const rows = names.flatMap((name) => {
    const own = totalsOf({ ...table, plants: table.plants.filter((plant) => plant[key] === name) });
    return own.plants === 0 ? [] : [`| ${name} | ${own.real} | ${own.sim} | ${own.checked} | ${own.all} |`];
  });
  return [`| ${key} | plants | \`sim\` | and \`check\` | all |`, '| --- | --: | --: | --: | --: |', ...rows].join('\n');
}

const HEAD = '| place | kind | before | after | found by |\n| --- | --- | --- | --- | --- |';

function rowsOf(table: Table): string {
  return (Object.keys(ROOMS) as (keyof typeof ROOMS)[])
    .map((room) => [`### ${room}\n`, HEAD, ...table.plants.filter((plant) => plant.room === room).map(row)].join('\n'))
    .join('\n\n');
}

function fewestSeeds({ plants }: Table): number {
  const missed = plants.filter((plant) => !bySim(plant) && plant.reached.includes('sim') && !plant.equivalent);
  return Math.min(20_000, ...missed.map(({ looked }) => looked['sim'] ?? 0));
}

function asked({ plants }: Table, stage: string): number {
  return plants.filter(({ looked }) => looked[stage] !== undefined).length;
}

/** What neither the simulator nor the checker finds although a swap passes there, each with the reason. */
function unseenOf({ plants }: Table): string {
  const unseen = plants.filter(
    (plant) => plant.equivalent === undefined && plant.reached.length > 0 && !bySim(plant) && !byCheck(plant),
  );
  return unseen
    .map((plant) => `- ${placeOf(plant)} (${plant.operator}): ${plant.unseen ?? 'no reason given'}.`)
    .join('\n');
}

/** The page about the plants of a table, and those that were planted by hand. */
export function pageOf(table: Table, byHand: Table): string {
  return `# Planted mistakes, and who finds them

How much do the simulator, the model checker and the tests see? To find out, mistakes are planted in
two ways. By hand: engines with one fault each (\`test/support/planted-bugs.ts\`,
\`planted-leg-bugs.ts\`, and those of the incidents); the simulator must find each within 10,000 seeds.
And by a tool, which has no favorites: it parses the sources of \`machines/\`, \`src/runtime\` and
\`src/htlc\` into syntax trees, lists every place where one of ten kinds of mistake still compiles, and
draws ${table.count} of them by a seed.

| kind | what is done |
| --- | --- |
| own/other | \`own…\` becomes \`other…\`, in a name or a text |
| maker/taker | the same for the two parties |
| argument | two neighboring arguments of a call, or members of an object, swap places |
| clock | a moment becomes another one of the same type in scope |
| value | the same for any other value |
| unit | a factor or a unit conversion is dropped or inverted |
| off by one | \`<\` becomes \`<=\`, a \`+ 1\` is dropped, the last becomes the first, a small number grows |
| await | an \`await\` is dropped |
| branch | a branch, a default or half of a condition is dropped |
| step | a call or an assignment is dropped |

Each room gets plants in proportion to the number of its places, and within a room the kinds take
turns. A hash of the seed and the line decides which place comes next, so that a change elsewhere
moves nothing. The draw leaves out entry files, and files that hold only sentences. It does not count
a plant that the compiler rejects.

## How to run it

\`node test/support/plants.mjs draw --seed ${table.seed} --count ${table.count}\` draws. \`reach\` notes which places a
simulated swap passes at all on the sound engine. \`try\` plants one after the other in a copy of the
repository and records what finds it. \`lines\` looks up where the places of the table are today, and
\`page\` writes this page. A row without a line has lost its place: the code has changed since the draw.
In November 2026, 28 rows had lost theirs. Each got a new place for the same rule, three of them chosen by
hand; a rule that is gone got one of the same kind in its stead.

\`try\` asks \`sim\` (light driver, up to 20,000 seeds, then markets on the shipped runtime), then \`check\`
on the published bounds, then the suites that carry the file's name or import it, then those of its
room, and stops at the first that finds it. \`--stages sim:3000,check:4\` asks only some of them.
\`--again\` starts over from the first seed, for a judge that has become stricter. \`--only <id>,<id>\`
tries some plants, and \`--table <file>\` another draw. \`test/support/plants/table.json\` keeps the
results. Beside other work on two cores the whole run takes one to two hours.

A violation counts only if the sound engine breaks no rule under the same seed, and a suite only if
it passes without the plant.

## What was found

${summary(table)}

The table is not complete. It tried each plant that \`sim\` has not found with at least
${fewestSeeds(table)} seeds, asked \`check\` about ${asked(table, 'check')} plants, and ran the suites of a whole room for ${asked(table, 'room')}.
\`node test/support/plants.mjs try\` continues where it stopped, so all three shares are lower bounds.

By now the suites know this sample: tests were written for what they missed in it. A second sample
(\`draw --seed 30 --count 40\`, November 2026), for which nobody had prepared, has 38 plants that change
something. The suites that import the file found 34 of them (89.5 %); the other suites of its folder
found no more. Three of the other four have tests since. The last makes a finished swap whose own
payment is missing look again after the wrong pause of the policy; news from the chain ends either
pause.

A simulated swap passes neither coin activation, nor the export of metrics, nor the transactions of
chains that are not simulated; there the suites must see for themselves. No simulated swap has found
these so far, although swaps pass them:

${unseenOf(table)}

${tallied(table, 'operator', OPERATORS)}

${tallied(table, 'room', Object.keys(ROOMS))}

## Each plant

${rowsOf(table)}

## The finality of the other leg, planted by hand

Every place where a chain's depth decides what an engine or a watcher calls final, changed to use the
depth of the other leg:
\`node test/support/plants.mjs try --table test/support/plants/finality.json --stages suites\`. The same
mistake in all places at once is among those that the simulator must find
(\`finalityOfTheOtherLeg\` in \`planted-leg-bugs.ts\`).

${HEAD}
${byHand.plants.map(row).join('\n')}
`;
}
