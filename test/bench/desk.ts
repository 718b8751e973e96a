import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { run } from '../../src/cli/run.ts';
import { savedSwapText } from '../../src/events/encode.ts';
import { benchSwap } from './data.ts';
import { assertSame, cpuMillis, median, type Row, type SuiteOptions } from './measure.ts';

const SWAPS = 2_000;
/** Swaps that are built; beyond them the same ones come again under other ids. */
const BUILT = 200;

type Ways = Readonly<Record<string, (round: number) => void | Promise<void>>>;

/**
 * What an investigator waits for, each in CPU time of this process against the same bytes read and parsed by `JSON.parse` alone: a machine that does other
 * things besides stretches both.
 */
export async function* deskSuite({ rounds, swaps = SWAPS }: SuiteOptions): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-bench-'));
  try {
    const place = layOut(folder, swaps);
    const cache = { XDG_CACHE_HOME: join(folder, 'cache') };
    const stored = (round: number) => join(folder, `swaps-${round}.db`);
    const costs = await costsOf(
      {
        parsed: () => parseLines(place.lines),
        filesParsed: () => parseFiles(place.files),
        lines: () => command(['replay', '--json', place.lines]),
        answer: () => command(['replay', '--json', place.answer]),
        files: () => command(['replay', '--json', place.files]),
        audit: () => command(['audit', '--json', place.lines]),
        import: (round) => command(['import', '--json', '--log', stored(round), place.lines], cache),
        // What the import has kept is told; without a folder to keep anything in, all of the log is read.
        first: (round) => command(['status', '--json', '--log', stored(round)], cache),
        status: (round) => command(['status', '--json', '--log', stored(round)]),
        // As by a node that keeps nothing.
        more: (round) => command(['import', '--json', '--log', stored(round), place.one]),
        grown: (round) => command(['status', '--json', '--log', stored(round)], cache),
      },
      rounds,
    );
    const row = (name: string, ours: string, reference: string): Row => {
      const [own, other] = [costs[ours] ?? Number.NaN, costs[reference] ?? Number.NaN];
      return {
        name: `desk: ${name}`,
        unit: 'swaps/s',
        ours: (1000 * swaps) / own,
        reference: (1000 * swaps) / other,
        ratio: other / own,
      };
    };
    yield row('replay of JSON Lines vs reading and JSON.parse', 'lines', 'parsed');
    yield row('replay of one JSON answer vs reading and JSON.parse', 'answer', 'parsed');
    yield row('replay of a folder of files vs reading and JSON.parse', 'files', 'filesParsed');
    yield row('replay of a folder of files vs of JSON Lines', 'files', 'lines');
    yield row('audit vs reading and JSON.parse', 'audit', 'parsed');
    yield row('import into a durable log vs reading and JSON.parse', 'import', 'parsed');
    yield row('status of a log right after its import vs reading and JSON.parse', 'first', 'parsed');
    yield row('status of a log of which nothing was kept vs reading and JSON.parse', 'status', 'parsed');
    yield row('status of a log that has grown by one swap vs reading and JSON.parse', 'grown', 'parsed');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same swaps as JSON Lines, as one answer, and as files of a folder. */
function layOut(folder: string, swaps: number) {
  const built = Array.from({ length: Math.min(swaps, BUILT) }, (_, seed) => {
    const log = benchSwap(seed);
    return { uuid: log.uuid, text: savedSwapText(log) };
  });
  const texts = Array.from({ length: swaps }, (_, index) => {
    const { uuid, text } = built[index % built.length] as (typeof built)[number];
    const own = index.toString(16).padStart(8, '0') + uuid.slice(8);
    return { own, text: text.replaceAll(uuid, own) };
  });
  const place = {
    lines: join(folder, 'swaps.jsonl'),
    one: join(folder, 'one.jsonl'),
    answer: join(folder, 'answer.json'),
    files: join(folder, 'files'),
  };
  writeFileSync(place.lines, texts.map(({ text }) => `${text}\n`).join(''));
  const [{ own, text } = { own: '', text: '' }] = texts;
  writeFileSync(place.one, `${text.replaceAll(own, `ffffffff${own.slice(8)}`)}\n`);
  writeFileSync(place.answer, `{"result":{"swaps":[${texts.map(({ text }) => text).join()}],"total":${swaps}}}`);
  mkdirSync(place.files);
  for (const { own, text } of texts) writeFileSync(join(place.files, `${own}.json`), text);
  return place;
}

/** Median CPU milliseconds of each way, in interleaved rounds after one to warm up. */
async function costsOf(ways: Ways, rounds: number): Promise<Readonly<Record<string, number>>> {
  const costs = new Map<string, number[]>();
  for (let round = -1; round < rounds; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const before = cpuMillis();
      await way(round);
      if (round >= 0) costs.set(name, [...(costs.get(name) ?? []), cpuMillis() - before]);
    }
  }
  return Object.fromEntries([...costs].map(([name, found]) => [name, median(found)]));
}

function parseLines(path: string): void {
  for (const line of readFileSync(path, 'utf8').split('\n')) if (line !== '') JSON.parse(line);
}

function parseFiles(path: string): void {
  for (const name of readdirSync(path)) JSON.parse(readFileSync(join(path, name), 'utf8'));
}

/** Runs a command of the program whose output goes nowhere. The swaps share transactions, which is a finding of two commands. */
async function command(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  const sink = () => new Writable({ decodeStrings: false, write: (_chunk, _encoding, done) => done() });
  const none = (async function* () {})();
  const code = await run(argv, { stdin: none, stdout: sink(), stderr: sink(), env });
  assertSame(code < 2, true, `${argv[0]} and its exit status`);
}
