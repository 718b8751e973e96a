// Plants mistakes and looks who finds them; run by test/support/plants.mjs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageOf } from './page.ts';
import { applied, drawPlaces, type Place, Sources } from './places.ts';
import { withProbes } from './probes.ts';
import { Scratch, suitesOf } from './scratch.ts';
import { type Finder, type Plant, readTable, type Table, writeTable } from './table.ts';

const ROOT = process.cwd();
const [command = 'try', ...rest] = process.argv.slice(2);
const FILE = join(ROOT, textOption('table', 'test/support/plants/table.json'));

function option(name: string, byDefault: number): number {
  const at = rest.indexOf(`--${name}`);
  return at < 0 ? byDefault : Number(rest[at + 1]);
}

function textOption(name: string, byDefault: string): string {
  const at = rest.indexOf(`--${name}`);
  return at < 0 ? byDefault : String(rest[at + 1]);
}

/** Draws anew, and keeps what is known of plants that were drawn before. */
function draw(): void {
  const seed = option('seed', 29);
  const count = option('count', 96);
  const old = new Map((readTable(FILE)?.plants ?? []).map((plant) => [plant.id, plant]));
  const sources = new Sources(ROOT);
  const compiles = (place: Place) => sources.compiles(place.file, applied(sources.textOf(place.file), place));
  const plants = drawPlaces(sources.places(), { seed, count, compiles }).map((place): Plant => {
    const { id, room, operator, file, line, before, text: after } = place;
    const known = old.get(id);
    return { reached: [], finders: [], looked: {}, ...known, id, room, operator, file, line, before, after };
  });
  writeTable(FILE, { seed, count, plants });
  console.log(`${plants.length} plants drawn`);
}

/** The places of a table in the sources of today. */
function placesOf(table: Table): ReadonlyMap<string, Place> {
  const wanted = new Set(table.plants.map(({ id }) => id));
  const sources = new Sources(ROOT);
  const drawn = sources.places().filter(({ id }) => wanted.has(id));
  const byHand = table.plants.flatMap((plant) => (plant.hand ? placedByHand(plant, sources.textOf(plant.file)) : []));
  return new Map([...drawn, ...byHand].map((place) => [place.id, place]));
}

/** Brings the lines of a table up to date. */
function renewLines(table: Table): void {
  const places = placesOf(table);
  for (const plant of table.plants) plant.line = places.get(plant.id)?.line ?? null;
  writeTable(FILE, table);
}

/** None where the text that is to be changed does not stand there once. */
function placedByHand({ after, ...plant }: Plant, source: string): readonly Place[] {
  const start = source.indexOf(plant.before);
  if (start < 0 || source.indexOf(plant.before, start + 1) >= 0) return [];
  const line = source.slice(0, start).split('\n').length;
  return [{ ...plant, line, start, end: start + plant.before.length, text: after }];
}

/** Seeds and bounds that pass what can be passed at all: the second bounds have a watcher. */
const REACHING = [
  ['sim', 0, 2000],
  ['runtime', 0, 80],
  ['check', 0, 1],
  ['check', 9, 10],
] as const;

/** Notes who passes each place at all. */
async function reach(table: Table): Promise<void> {
  const places = placesOf(table);
  const sources = new Sources(ROOT);
  const scratch = new Scratch(ROOT);
  for (const file of new Set(table.plants.map((plant) => plant.file))) {
    const here = [...places.values()].filter((place) => place.file === file);
    scratch.write(file, withProbes(file, sources.textOf(file), here));
  }
  const passed = new Map<string, Set<string>>();
  for (const [stage, from, to] of REACHING) {
    const outcome = await scratch.run(stage, from, to);
    const here = passed.get(stage) ?? new Set();
    for (const id of outcome.passed) here.add(id);
    passed.set(stage, here);
    console.log(stage, outcome.found, here.size);
  }
  for (const plant of table.plants) {
    plant.reached = [...passed.keys()].filter((stage) => passed.get(stage)?.has(plant.id));
  }
  writeTable(FILE, table);
  scratch.remove();
}

type Stage = { readonly name: string; readonly to: number };

/** `sim:2000,check,suites`: what is tried, in this order, until one finds the plant. */
function stagesOf(text: string): readonly Stage[] {
  const all = { sim: 20_000, runtime: 300, check: 13, suites: 1, room: 1 };
  return text.split(',').map((one) => {
    const [name = '', to] = one.split(':');
    return { name, to: to === undefined ? (all[name as keyof typeof all] ?? 0) : Number(to) };
  });
}

async function tryAll(table: Table): Promise<void> {
  const stages = stagesOf(textOption('stages', 'sim,runtime,check,suites,room'));
  const only = textOption('only', '');
  const scratch = new Scratch(ROOT);
  const sound = new Scratch(ROOT);
  const places = placesOf(table);
  for (const plant of table.plants) {
    const place = places.get(plant.id);
    if (only !== '' && !only.split(',').includes(plant.id)) continue;
    if (plant.equivalent !== undefined) continue;
    if (place === undefined) {
      console.log(`${plant.id} ${plant.file}: the place is gone, draw anew`);
      continue;
    }
    if (rest.includes('--again')) for (const { name } of stages) delete plant.looked[name];
    if (stages.every((stage) => !isOpen(plant, stage))) continue;
    scratch.write(plant.file, applied(scratch.textOf(plant.file), place));
    for (const stage of stages) await look(plant, { stage, scratch, sound });
    scratch.restore(plant.file);
    writeTable(FILE, table);
    const said = plant.finders.map(({ by, seed, where }) => `${by} ${seed ?? where}`).join(', ');
    console.log(`${plant.id} ${plant.operator} ${plant.file}:${plant.line} ${said}`);
  }
  scratch.remove();
  sound.remove();
}

/** The simulator looks for every plant, the checker for what the simulator missed, and the suites for what both missed. */
function isOpen({ looked, reached, finders }: Plant, { name, to }: Stage): boolean {
  if (finders.some(({ by }) => by === 'sim' || by === 'sim --runtime')) return false;
  if ((looked[name] ?? 0) >= to) return false;
  if (name === 'suites' || name === 'room') return finders.length === 0;
  return reached.includes(name) && !(name === 'check' && finders.some(({ by }) => by === 'check'));
}

type Look = { readonly stage: Stage; readonly scratch: Scratch; readonly sound: Scratch };

async function look(plant: Plant, { stage, scratch, sound }: Look): Promise<void> {
  if (!isOpen(plant, stage)) return;
  const { name, to } = stage;
  if (name === 'suites' || name === 'room') {
    const { near, room } = suitesOf(ROOT, plant.file);
    const where = await failingSuite(name === 'suites' ? near : room, scratch, sound);
    if (where !== null) plant.finders.push({ by: 'suite', where, text: '' });
  } else {
    const found = await searched({ name, from: plant.looked[name] ?? 0, to }, scratch, sound);
    if (found !== null) plant.finders.push(found);
  }
  plant.looked[name] = to;
}

/** The first suite that fails with the plant and passes without it. */
async function failingSuite(files: readonly string[], scratch: Scratch, sound: Scratch): Promise<string | null> {
  const failing = await scratch.suites(files);
  if (failing === null) return null;
  const without = await sound.suites(failing.files);
  if (without === null) return failing.where;
  console.log(`${without.where} fails without a plant`);
  const rest = files.filter((file) => !without.files.includes(file));
  return rest.length === files.length ? null : failingSuite(rest, scratch, sound);
}

type Search = { readonly name: string; readonly from: number; readonly to: number };

/** The first seed or bounds that show the plant and are sound without it. */
async function searched({ name, from, to }: Search, scratch: Scratch, sound: Scratch): Promise<Finder | null> {
  const { found } = await scratch.run(name, from, to);
  if (found === null) return null;
  const by = name === 'sim' ? 'sim' : name === 'check' ? 'check' : 'sim --runtime';
  if (found.seed === undefined)
    return { by, ...(found.bounds === undefined ? {} : { where: found.bounds }), text: found.text };
  const without = await sound.run(name, found.seed, found.seed + 1);
  if (without.found === null) return { by, seed: found.seed, text: found.text };
  console.log(`seed ${found.seed} of ${name} is broken without a plant: ${without.found.text}`);
  return searched({ name, from: found.seed + 1, to }, scratch, sound);
}

function writePage(table: Table): void {
  const byHand = readTable(join(ROOT, 'test/support/plants/finality.json'));
  if (byHand === null) throw new Error('there is no table of plants by hand');
  writeFileSync(join(ROOT, 'docs/explanation/planted-bugs.md'), pageOf(table, byHand));
}

const table = readTable(FILE);
if (command === 'draw') draw();
else if (table === null) throw new Error('draw first');
else if (command === 'reach') await reach(table);
else if (command === 'try') await tryAll(table);
else if (command === 'lines') renewLines(table);
else if (command === 'page') writePage(table);
else throw new Error(`no command ${command}: draw, reach, try, lines or page`);
