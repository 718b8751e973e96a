import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { builtModule } from '../support/built.ts';

// What an entry point costs a page: all of it as one minified file, with the packages that come with it, gzipped. Packages that are optional, Node's own modules and what is
// compiled for a platform are left out.

/** Bytes at most. Whoever raises one says in the commit what it buys. */
const BUDGETS: Readonly<Record<string, number>> = {
  '.': 119_000,
  './machines': 94_000,
  './events': 61_000,
  './htlc': 51_000,
  './replay': 129_000,
  './chains/utxo': 74_000,
  './chains/evm': 106_000,
  './chains/tendermint': 85_000,
  './log/files': 128_000,
  './testing': 380_000,
  './sim': 300_000,
  './check': 141_000,
  './log/memory': 10_200,
  './log/sqlite': 26_000,
  './node': 370_000,
  './peers/in-process': 40_000,
  './peers/libp2p': 87_000,
  './runtime': 161_000,
  './runtime/pino': 3000,
  './runtime/prometheus': 1000,
  './hardware': 37_500,
  './hardware/simulator': 42_000,
  './smartchain': 96_000,
  './smartchain/client': 49_000,
  './rpc/client': 35_000,
  './rpc': 190_000,
};
/** Of `decodeSwapsText` and `replaySwap` together, which is what a page needs that shows stored swaps. */
const REPLAY_BUDGET = 60_000;

type Manifest = {
  readonly exports: Readonly<Record<string, { readonly default?: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
};
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Manifest;
const NATIVE = ['libsql', 'tiny-secp256k1'];
const BUNDLED = Object.keys(manifest.dependencies).filter((name) => !NATIVE.includes(name));
const entries = Object.entries(manifest.exports).flatMap(([name, { default: file }]) =>
  file === undefined ? [] : [[name, file.replace(/^\.\/dist\//, '')] as const],
);

describe('an entry point in one file', () => {
  it('has a budget', () => {
    expect(Object.keys(BUDGETS).sort()).toEqual(entries.map(([name]) => name).sort());
  });

  it.each(entries)('%s is within it', async (name, file) => {
    const bytes = await gzipped(`export * from ${JSON.stringify(fileURLToPath(builtModule(file)))};`);
    expect(bytes).toBeLessThanOrEqual(BUDGETS[name] ?? 0);
    expect(bytes, 'a budget that is far from what is used holds nothing').toBeGreaterThan((BUDGETS[name] ?? 0) * 0.8);
  });

  it('costs a page that replays stored swaps no more than 60 kB', async () => {
    const entry = JSON.stringify(fileURLToPath(builtModule('src/index.js')));
    expect(await gzipped(`export { decodeSwapsText, replaySwap } from ${entry};`)).toBeLessThanOrEqual(REPLAY_BUDGET);
  });
});

async function gzipped(source: string): Promise<number> {
  const bundle = await rolldown({
    input: 'entry',
    platform: 'browser',
    logLevel: 'silent',
    external: (id, from) =>
      from !== undefined &&
      !from.includes('node_modules') &&
      /^[a-z@]/.test(id) &&
      !BUNDLED.some((known) => id === known || id.startsWith(`${known}/`)),
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? id : null),
        load: (id) => (id === 'entry' ? source : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const code = output.map((part) => (part.type === 'chunk' ? part.code : '')).join('');
  return gzipSync(code, { level: 9 }).length;
}
