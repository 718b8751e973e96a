import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { type Change, OPERATORS, type Operator, sameTypeChanges, syntaxChanges } from './operators.ts';

/** The rooms that plants are drawn from, each with the files that it holds. */
export const ROOMS = {
  'machines of swaps': /^machines\/(taker-swap|maker-swap|swap|deadlines|journal|[a-z-]+\.ts)/,
  'machines of watchers, recovery, activation': /^machines\/(watcher|recovery|activation)\//,
  'effects and sides': /^src\/runtime\/swap\//,
  'watcher of the runtime': /^src\/runtime\/watcher\//,
  'loop of the runtime': /^src\/runtime\/(?!swap\/|watcher\/)/,
  'hash time locks': /^src\/htlc\//,
} as const;

export type Room = keyof typeof ROOMS;

/** A change at a place, told apart from all others by its id for as long as the line and what stands before it stay. */
export type Place = Change & {
  readonly id: string;
  readonly room: Room;
  readonly file: string;
  readonly line: number;
  readonly before: string;
};

/** Entries, and sentences for people: a wrong word in them is for a reader of the page. */
const SPARED = /(^|\/)(index|story|error-texts|errors|error|logger-pino)\.ts$/;

/** The sources of the package as one program, of which one file at a time can be another one. */
export class Sources {
  readonly root: string;
  readonly files: readonly string[];
  readonly #service: ts.LanguageService;
  #changed: { readonly file: string; readonly text: string } | null = null;
  #version = 0;

  constructor(root: string) {
    this.root = root;
    this.files = ['machines', 'src/runtime', 'src/htlc']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((f) => join(folder, f)),
      )
      .filter((file) => file.endsWith('.ts') && !SPARED.test(file))
      .sort();
    this.#service = this.#open();
  }

  #open(): ts.LanguageService {
    const { config } = ts.readConfigFile(join(this.root, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, this.root);
    const names = this.files.map((file) => join(this.root, file));
    const changedAt = (name: string) => this.#changed !== null && name === join(this.root, this.#changed.file);
    return ts.createLanguageService({
      getCompilationSettings: () => ({ ...options, noUnusedLocals: false, noUnusedParameters: false, noEmit: true }),
      getScriptFileNames: () => names,
      getScriptVersion: (name) => (changedAt(name) ? String(this.#version) : '0'),
      getScriptSnapshot: (name) => {
        const text = changedAt(name) ? this.#changed?.text : ts.sys.readFile(name);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => this.root,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
    });
  }

  textOf(file: string): string {
    return readFileSync(join(this.root, file), 'utf8');
  }

  /** Whether the package still compiles with the file changed, as far as the file itself shows. */
  compiles(file: string, text: string): boolean {
    this.#changed = { file, text };
    this.#version += 1;
    const name = join(this.root, file);
    const fine =
      this.#service.getSyntacticDiagnostics(name).length === 0 &&
      this.#service.getSemanticDiagnostics(name).length === 0;
    this.#changed = null;
    return fine;
  }

  /** Every place at which a mistake can be planted, in the order of files and text; not each of them compiles. */
  places(): readonly Place[] {
    const program = this.#service.getProgram();
    if (program === undefined) throw new Error('the sources make no program');
    const checker = program.getTypeChecker();
    return this.files.flatMap((file) => {
      const tree = program.getSourceFile(join(this.root, file));
      if (tree === undefined) throw new Error(`${file} is no part of the program`);
      const seen = new Map<string, number>();
      return [...syntaxChanges(tree), ...sameTypeChanges(tree, checker)].map((change) =>
        placeOf(change, { file, tree, seen }),
      );
    });
  }
}

type Where = { readonly file: string; readonly tree: ts.SourceFile; readonly seen: Map<string, number> };

function placeOf(change: Change, { file, tree, seen }: Where): Place {
  const line = tree.getLineAndCharacterOfPosition(change.start).line;
  const before = tree.text.slice(change.start, change.end);
  const rest = (tree.text.split('\n')[line] ?? '').trim();
  const key = [file, change.operator, rest, before, change.text].join('\n');
  const count = seen.get(key) ?? 0;
  seen.set(key, count + 1);
  return { ...change, id: digest(`${key}\n${count}`).slice(0, 8), room: roomOf(file), file, line: line + 1, before };
}

function roomOf(file: string): Room {
  const room = (Object.keys(ROOMS) as Room[]).find((name) => ROOMS[name].test(file));
  if (room === undefined) throw new Error(`${relative('.', file)} lies in no room`);
  return room;
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function applied(text: string, { start, end, text: to }: Change): string {
  return text.slice(0, start) + to + text.slice(end);
}

type Drawing = { readonly seed: number; readonly count: number; readonly compiles: (place: Place) => boolean };

/**
 * A sample without a favourite: each room gets its share by the places that it has, and within a room the operators take turns. Which
 * place comes next is decided by a hash of the seed and the place, so that a change elsewhere moves nothing. No two on one line.
 */
export function drawPlaces(places: readonly Place[], { seed, count, compiles }: Drawing): readonly Place[] {
  // Nearly every value has another one of its type: these would decide alone how much each room gets.
  const weighed = places.filter(({ operator }) => operator !== 'value');
  const rank = new Map(places.map((place) => [place, digest(`${seed}:${place.id}`)]));
  const order = (left: Place, right: Place) => ((rank.get(left) as string) < (rank.get(right) as string) ? -1 : 1);
  return (Object.keys(ROOMS) as Room[]).flatMap((room) => {
    const here = places.filter((place) => place.room === room);
    const share = Math.round((count * weighed.filter((place) => place.room === room).length) / weighed.length);
    const queues = OPERATORS.map((operator: Operator) =>
      here.filter((place) => place.operator === operator).sort(order),
    );
    const drawn: Place[] = [];
    const lines = new Set<string>();
    while (drawn.length < share && queues.some((queue) => queue.length > 0)) {
      for (const queue of queues) {
        if (drawn.length >= share) break;
        const next = nextOf(queue, (place) => !lines.has(`${place.file}:${place.line}`) && compiles(place));
        if (next === undefined) continue;
        drawn.push(next);
        lines.add(`${next.file}:${next.line}`);
      }
    }
    return drawn;
  });
}

function nextOf(queue: Place[], fits: (place: Place) => boolean): Place | undefined {
  for (let place = queue.shift(); place !== undefined; place = queue.shift()) if (fits(place)) return place;
  return undefined;
}
