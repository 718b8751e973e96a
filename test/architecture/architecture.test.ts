import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { OPTIONAL_PACKAGES } from '../../src/primitives/optional-package.ts';
import { ROOT, readSources, type SourceFile } from './source-tree.ts';

const FLOORS: readonly (readonly [room: string, floor: number])[] = [
  ['src/primitives/', 0],
  ['src/events/', 1],
  ['src/ports/', 1.5],
  ['src/htlc/', 1],
  ['machines/', 2],
  ['src/replay/', 2],
  ['src/log/', 3],
  ['src/curve/', 2.5],
  ['src/chains/accounts/', 2.6],
  ['src/chains/', 3],
  ['src/peers/', 3],
  ['src/hardware/', 3],
  ['src/smartchain/', 3],
  ['src/runtime/', 4],
  ['src/sim/', 4.5],
  ['src/check/', 4.6],
  ['src/node/', 5],
  ['src/rpc/', 6],
  ['src/cli/', 7],
  ['src/index.ts', 8],
  ['src/testing/', 9],
];

const sources = readSources('src', 'machines');

function floorOf(path: string): number {
  const found = FLOORS.find(([room]) => path.startsWith(room));
  if (found === undefined) throw new Error(`${path} lies in no room of the architecture`);
  return found[1];
}

function roomOf(path: string): string {
  return FLOORS.find(([room]) => path.startsWith(room))?.[0] ?? path;
}

describe('floors', () => {
  it('every file imports its own room and lower floors only', () => {
    const upward = sources.flatMap(({ path, imports }) =>
      imports
        .filter((target) => floorOf(target) >= floorOf(path) && !mayShare(path, target))
        .map((target) => `${path} -> ${target}`),
    );
    expect(upward).toEqual([]);
  });

  it('the chain families never import one another', () => {
    const family = (path: string) => /^src\/chains\/(?!accounts\/)([^/]+)\//.exec(path)?.[1];
    const crossed = sources.flatMap(({ path, imports }) =>
      imports
        .filter(
          (target) => family(path) !== undefined && family(target) !== undefined && family(path) !== family(target),
        )
        .map((target) => `${path} -> ${target}`),
    );
    expect(crossed).toEqual([]);
  });

  it('there are no import cycles', () => {
    expect(cycles(new Map(sources.map(({ path, imports }) => [path, imports])))).toEqual([]);
  });

  it('there are no circles of folders', () => {
    const graph = folders(sources);
    expect(graph.size).toBeGreaterThan(30);
    expect(cycles(graph)).toEqual([]);
  });
});

// Machines and replay share a floor: replay takes machines as values, and machines know nothing of replay.
function mayShare(from: string, to: string): boolean {
  return roomOf(from) === roomOf(to) || (from.startsWith('src/replay/') && to.startsWith('machines/'));
}

type Imports = ReadonlyMap<string, Iterable<string>>;

/** Which folder imports from which of its neighbours: a folder and what lies in it are one. */
function folders(files: readonly SourceFile[]): Imports {
  const graph = new Map<string, Set<string>>();
  for (const { path, imports } of files)
    for (const target of imports) {
      const [from, to] = [path.split('/').slice(0, -1), target.split('/').slice(0, -1)];
      const shared = from.findIndex((step, at) => step !== to[at]);
      if (shared < 1 || shared >= to.length) continue;
      const [here, there] = [from.slice(0, shared + 1).join('/'), to.slice(0, shared + 1).join('/')];
      graph.set(here, (graph.get(here) ?? new Set()).add(there));
    }
  return graph;
}

function cycles(graph: Imports): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      found.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      return;
    }
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return found;
}

describe('purity of floors 0 to 2', () => {
  const pure = sources.filter(({ path }) => floorOf(path) <= 2);

  it('none imports a built-in module of Node', () => {
    expect(
      pure.filter(({ packages }) => packages.some((name) => name.startsWith('node:'))).map(({ path }) => path),
    ).toEqual([]);
  });

  it('none uses a clock, randomness, a timer or the environment', () => {
    const ambient = new Set([
      'Date',
      'process',
      'setTimeout',
      'setInterval',
      'setImmediate',
      'performance',
      'crypto',
      'fetch',
      'console',
      'require',
    ]);
    const found = pure.flatMap((file) =>
      identifiers(file)
        .filter((name) => ambient.has(name))
        .map((name) => `${file.path}: ${name}`),
    );
    expect(found).toEqual([]);
    expect(pure.filter(({ text }) => /Math\.random/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('machines use no invoke, after, spawn or anonymous side effects', () => {
    const charts = sources.filter(({ path }) => /^machines\/.*\/(?:machine|graph)\.ts$/.test(path));
    expect(charts.length).toBe(10);
    const found = charts.filter(({ text }) => /\b(invoke|after|spawn|spawnChild|raise|always)\b\s*[:(]/.test(text));
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  it('XState draws and explores charts, and nothing folds with it', () => {
    const users = sources.filter(({ text }) => /^import (?!type ).*'xstate';$/m.test(text));
    expect(users.map(({ path }) => path).filter((path) => !/^machines\/(?:chart|.*\/machine)\.ts$/.test(path))).toEqual(
      [],
    );
  });
});

describe('one deadline table', () => {
  const users = (target: string) => sources.filter(({ imports }) => imports.includes(target));
  /** What of a swap's times is no limit: what both sides agree on, and how often something is asked or said again. */
  const TERMS = new Set([
    ...['BASE_LOCK_DURATION', 'lockDuration', 'lockDurations', 'LockDurationParameters', 'orderbookTicker'],
    ...['isWatchedLockDuration', 'WATCHED_LOCK_MULTIPLES', 'MAX_CLOCK_DIFFERENCE'],
    ...['NEGOTIATION_RESEND', 'FEE_MESSAGE_RESEND', 'PAYMENT_MESSAGE_RESEND', 'CONFIRMATION_POLL', 'SPEND_SEARCH_POLL'],
    ...['FEE_VALIDATION_RETRY', 'FEE_VALIDATION_RETRIES', 'REFUND_RECHECK_AFTER_ERROR'],
  ]);

  it('only the table, the audit and the timeline contain the formulas; the simulator and the checker use their own', () => {
    const named = ({ text }: SourceFile) => {
      const lines = [...text.matchAll(/(?:\{([^{}]*)\}|\*(?:\s+as\s+\w+)?)\s+from '[^']*\/lock-times\.ts'/gs)];
      // All of them, under one name, may be any of them.
      const all = lines.flatMap(([, names]) => names?.split(',') ?? ['*']);
      return all.map((name) => name.replace(/^\s*type\s+/, '').trim());
    };
    const formulas = users('src/htlc/lock-times.ts').filter(
      (file) => !file.path.startsWith('src/htlc/') && named(file).some((name) => name !== '' && !TERMS.has(name)),
    );
    const known = formulas.map(({ path }) => path).toSorted();
    expect(known.filter((path) => !/^src\/(?:sim|check|testing)\//.test(path))).toEqual([
      'machines/deadlines/table.ts',
      'src/replay/audit/lock-times.ts',
      'src/replay/audit/timeline.ts',
      'src/replay/timeline.ts',
    ]);
  });

  it('a limit in seconds becomes one in blocks in one file', () => {
    const blocks = users('src/htlc/tendermint-lock.ts').map(({ path }) => path);
    expect(blocks.filter((path) => !/^src\/(?:chains|htlc|sim|check|testing)\//.test(path))).toEqual([
      'machines/deadlines/race.ts',
    ]);
  });

  it('effects take their limits from what the machines want', () => {
    const effects = sources.filter(({ path }) => /^src\/runtime\/(?:swap\/effects|watcher)\//.test(path));
    expect(effects.length).toBeGreaterThan(40);
    const asked = effects.filter(({ imports }) => imports.includes('machines/deadlines/table.ts'));
    expect(asked.map(({ path }) => path)).toEqual([]);
    // What a watch has to be asked before it is one, and what its wants are made from.
    const times = effects.flatMap(({ path, text }) =>
      [...text.matchAll(/\{([^{}]*)\}\s+from '[^']*machines\/watcher\/deadlines\.ts'/gs)].map(
        ([, names]) => `${path}: ${names?.trim()}`,
      ),
    );
    expect(times).toEqual([
      'src/runtime/watcher/decide.ts: watchedRace',
      'src/runtime/watcher/start-blocks.ts: longestLook',
      'src/runtime/watcher/terms.ts: watchedLock',
      'src/runtime/watcher/validate.ts: oldestFee',
      'src/runtime/watcher/watch-book.ts: longestReach, watchTimes',
    ]);
  });

  it('within the runtime, only the rooms of the sides ask the table for what a side stores and knows about its terms', () => {
    const asked = users('machines/deadlines/table.ts').filter(({ path }) => path.startsWith('src/runtime/'));
    const named = asked.map(({ path, text }) => {
      const [, names] = /\{([^{}]*)\}\s+from '[^']*\/deadlines\/table\.ts'/s.exec(text) ?? [];
      return `${path}: ${names?.trim()}`;
    });
    expect(named).toEqual([
      'src/runtime/swap/sides/facts.ts: publishedMargin',
      'src/runtime/swap/sides/maker.ts: makerLockAt',
      'src/runtime/swap/sides/side-events.ts: refundWaitedUntil',
      'src/runtime/swap/sides/taker.ts: takerTimesAt',
    ]);
  });

  it('the runtime adds no time to a moment of the terms', () => {
    const runtime = sources.filter(({ path }) => path.startsWith('src/runtime/'));
    const added = runtime.filter(({ text }) => /\baddSeconds\b|\bMAX_CLOCK_DIFFERENCE\b/.test(text));
    expect(added.map(({ path }) => path)).toEqual([]);
    const terms = /(?:started_at|startedAt|_lock|locktime|lock_duration)\b\)?\s*[-+*/]\s*[\w(]/;
    expect(runtime.filter(({ text }) => terms.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

function identifiers({ tree }: SourceFile): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node, parent: ts.Node): void => {
    if (ts.isIdentifier(node) && isFreeUse(node, parent)) names.push(node.text);
    ts.forEachChild(node, (child) => visit(child, node));
  };
  visit(tree, tree);
  return names;
}

function isFreeUse(node: ts.Identifier, parent: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false;
  if ((ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node) return false;
  return true;
}

describe('budgets', () => {
  const sizes = sources.map(({ lines }) => lines).toSorted((left, right) => left - right);

  it('files are small', () => {
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(120);
    expect(sizes[Math.floor(sizes.length * 0.9)]).toBeLessThanOrEqual(300);
    expect(sources.filter(({ lines }) => lines > 500).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
    expect(
      sources.filter(({ path, lines }) => path.endsWith('/machine.ts') && lines > 250).map(({ path }) => path),
    ).toEqual([]);
  });

  it('functions are short and take at most two positional parameters and an options object', () => {
    const found = sources.flatMap((file) =>
      functionsOf(file).filter(({ lines, parameters }) => lines > 60 || parameters > 3),
    );
    expect(found).toEqual([]);
  });

  it('there are no enums, default exports, export-all or leftovers', () => {
    const found = sources.filter(({ text }) =>
      /^\s*(export\s+)?(const\s+)?enum\s|^export default|^export \*|\b(TODO|FIXME)\b/m.test(text),
    );
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  it('no type is escaped: only `knownAs` states what the compiler cannot know, and only where nothing else can', () => {
    const escapes = sources.filter(({ text }) => /\bas (never|any)[;,)\]}.[]|\bas unknown as\b/.test(text));
    expect(escapes.map(({ path }) => path)).toEqual([]);
    expect(sources.filter(({ text }) => /\bknownAs</.test(text)).map(({ path }) => path)).toEqual([
      'src/check/engine-run.ts',
      'src/check/engine-site.ts',
      'src/check/engine-state.ts',
      'src/primitives/known-as.ts',
      'src/replay/jsonl/wasm-hex.ts',
      'src/replay/swaps.ts',
      'src/replay/trace.ts',
      'src/runtime/loop/swap-kind.ts',
      'src/sim/world/node.ts',
      'src/testing/contracts/log/queries.ts',
    ]);
  });

  it('the root index is short and names what it exports', () => {
    expect(sources.find(({ path }) => path === 'src/index.ts')?.lines).toBeLessThanOrEqual(60);
  });

  it('package.json has the eight scripts of the house and the three that npm and users call', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(Object.keys(scripts).toSorted()).toEqual([
      'bench',
      'build',
      'check',
      'docs',
      'golden',
      'prepare',
      'start',
      'test',
      'test:slow',
      'typecheck',
      'verify',
    ]);
  });

  it('every dependency is pinned exactly and named with its reason', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    const page = readFileSync(join(ROOT, 'docs/explanation/dependencies.md'), 'utf8');
    for (const [name, version] of Object.entries({ ...manifest['dependencies'], ...manifest['devDependencies'] })) {
      expect(version, name).toMatch(/^(npm:[a-z]+@)?\d+\.\d+\.\d+$/);
      expect(page, `${name} is missing in docs/explanation/dependencies.md`).toContain(`\`${name}\``);
    }
    expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toContain('"resolved"');
  });

  it('every optional peer is marked as one, installed in a checkout, and named to users who lack it', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
      'peerDependencies' | 'peerDependenciesMeta' | 'devDependencies' | 'dependencies',
      Record<string, unknown>
    >;
    const { peerDependencies: peers, peerDependenciesMeta: meta, devDependencies, dependencies } = manifest;
    expect(meta).toEqual(Object.fromEntries(Object.keys(peers).map((name) => [name, { optional: true }])));
    expect(Object.keys(peers).filter((name) => !(name in devDependencies) || name in dependencies)).toEqual([]);
    const { '@types/node': _, ...told } = peers;
    const known = Object.entries(OPTIONAL_PACKAGES).map(([name, { range }]) => [name, range]);
    expect(Object.fromEntries(known)).toEqual(told);
    const page = readFileSync(join(ROOT, 'docs/explanation/dependencies.md'), 'utf8');
    expect(Object.keys(peers).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

type FunctionSize = { readonly place: string; readonly lines: number; readonly parameters: number };

function functionsOf({ path, tree }: SourceFile): FunctionSize[] {
  const found: FunctionSize[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const start = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line;
      const end = tree.getLineAndCharacterOfPosition(node.getEnd()).line;
      found.push({ place: `${path}:${start + 1}`, lines: end - start + 1, parameters: node.parameters.length });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

describe('tests mirror the sources', () => {
  it('every test of a source file is at its path', () => {
    const known = new Set(sources.map(({ path }) => path));
    const folders = new Set(
      sources.flatMap(({ path }) => path.split('/').map((_, index, steps) => steps.slice(0, index).join('/'))),
    );
    const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /^(src|machines)\/.*\.test\.ts$/.test(path))
      .map((path) => path.replace(/(\.slow|\.thorough)?\.test\.ts$/, ''));
    const strays = tests.filter(
      (path) => !known.has(`${path}.ts`) && !folders.has(path.split('/').slice(0, -1).join('/')),
    );
    expect(strays).toEqual([]);
  });
});
