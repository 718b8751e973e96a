import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtModule } from '../support/built.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'swapfold-package-'));

const COMMAND = join(home, 'node_modules/.bin/swapfold');

type Manifest = {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
};
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
const ENTRIES = Object.keys(manifest.exports)
  .filter((entry) => entry !== './package.json')
  .map((entry) => entry.replace(/^\./, 'swapfold'));

/** Entries that are nothing but an adapter of an optional peer. */
const ADAPTERS: Readonly<Record<string, string>> = {
  'swapfold/chains/evm': 'viem',
  'swapfold/chains/tendermint': 'cosmjs-types',
  'swapfold/runtime/pino': 'pino',
  'swapfold/runtime/prometheus': 'prom-client',
};
/** Entries whose types speak of Node's own, which come from @types/node. */
const OF_NODE = ['swapfold/log/files', 'swapfold/rpc'];

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd: home, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function runScript(text: string): string {
  writeFileSync(join(home, 'script.js'), text);
  return run('node', 'script.js').trim();
}

/** What the compiler says of a module that uses these entries, with the types of every dependency checked too. */
function compiled(entries: readonly string[], types: readonly string[] = []): string {
  const uses = entries.map((entry, index) => `import * as entry${index} from '${entry}';\nexport { entry${index} };\n`);
  writeFileSync(join(home, 'uses.ts'), uses.join(''));
  const options = {
    ...{ module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom'], strict: true, noEmit: true },
    // Not exactOptionalPropertyTypes, under which the declarations of xstate itself do not hold.
    ...{ skipLibCheck: false, noUncheckedIndexedAccess: true, types },
  };
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['uses.ts'] }));
  const tsc = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  return spawnSync('node', [tsc, '-p', '.', '--pretty', 'false'], { cwd: home, encoding: 'utf8' }).stdout.trim();
}

beforeAll(() => {
  builtModule('src/index.js');
  // Not built anew by its own script: other suites run what is built meanwhile, and would load half a file.
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', home];
  const packed = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' });
  const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('['))) as [{ filename: string }];
  writeFileSync(join(home, 'package.json'), '{"name":"host","private":true,"type":"module"}');
  run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', join(home, filename));
}, 300_000);

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('the package, installed into an empty project', () => {
  it('includes no server, picture, command line or kit for tests', () => {
    const brought = Object.keys(manifest.peerDependencies).filter((name) =>
      existsSync(join(home, 'node_modules', name)),
    );
    expect(brought).toEqual([]);
  });

  it('loads every entry point with its own dependencies, except adapters of an optional peer', () => {
    const loaded = runScript(`
      for (const name of ${JSON.stringify(ENTRIES)}) {
        const answer = await import(name).then(
          (entry) => Object.keys(entry).length > 0,
          ({ code, message }) => code + ' ' + /'([^']*)'/.exec(message)?.[1],
        );
        console.log(JSON.stringify([name, answer]));
      }
    `);
    const answers = Object.fromEntries(loaded.split('\n').map((line) => JSON.parse(line) as [string, unknown]));
    const expected = ENTRIES.map((entry) => {
      const peer = ADAPTERS[entry];
      return [entry, peer === undefined ? true : `ERR_MODULE_NOT_FOUND ${peer}`];
    });
    expect(answers).toEqual(Object.fromEntries(expected));
  });

  it('has valid types without any peer, checked with those of its dependencies', () => {
    const alone = ENTRIES.filter((entry) => ADAPTERS[entry] === undefined && !OF_NODE.includes(entry));
    expect(compiled(alone)).toBe('');
  });

  it('simulates a swap without fast-check, and says what arbitraries need', () => {
    const said = runScript(`
      const kit = await import('swapfold/testing');
      console.log(kit.runScenario(kit.generateScenario(7)).violations?.length ?? 'ran');
      const tried = [() => kit.swapLog('taker'), () => kit.arbitraryScenario(), () => kit.swapTermsOptions.map(String)];
      for (const use of tried) {
        try { use(); console.log('made'); } catch (error) { console.log(error.code, error.next); }
      }
    `).split('\n');
    const missing = 'PACKAGE_MISSING Install it next to swapfold: npm install fast-check@^4.0.0';
    expect(said.slice(1)).toEqual([missing, missing, missing]);
    expect(said[0]).toMatch(/^(0|ran)$/);
  });

  it('says what its command line and its server need', () => {
    const { status, stderr, stdout } = spawnSync(COMMAND, ['replay', '.'], { cwd: home, encoding: 'utf8' });
    expect({ status, stderr, stdout }).toEqual({
      status: 1,
      stderr:
        'swapfold: The packages commander, picocolors are not installed.\n' +
        'Install it next to swapfold: npm install commander@^14.0.0 picocolors@^1.1.0\n',
      stdout: '',
    });
    const said = runScript(`
      const { listen } = await import('swapfold/rpc');
      const credentials = { user: 'me', password: { reveal: () => 'a password' } };
      const clock = { now: Date.now, wakeAt: () => () => {} };
      const { port, close } = await listen({ port: 0, credentials, clock });
      console.log(port > 0 ? 'listens' : 'listens nowhere');
      await close();
    `);
    expect(said).toBe('listens');
    const network = runScript(`
      const { openLibp2pNetwork } = await import('swapfold/peers/libp2p');
      const options = { signer: { key: new Uint8Array(33) }, clock: { now: Date.now } };
      await openLibp2pNetwork(options).catch((error) => console.log(error.code, error.next));
    `);
    expect(network).toBe('PACKAGE_MISSING Install it next to swapfold: npm install libp2p@^3.3.0');
  });
});

describe('the package beside its optional peers', () => {
  beforeAll(() => {
    const peers = Object.entries(manifest.peerDependencies).map(([name, range]) => `${name}@${range}`);
    run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...peers);
  }, 300_000);

  it('runs its command', () => {
    expect(run('npx', 'swapfold', '--help')).toContain(
      'Runs, replays, explains and audits atomic swaps, and runs a chain with tokens.',
    );
    const sample = join(ROOT, 'docs/samples/sound/completed.json');
    expect(run('npx', 'swapfold', 'replay', sample)).toContain('1 swap: 1 completed');
    expect(run('npx', 'swapfold', 'graph', 'watcher', '--format', 'svg')).toContain('</svg>');
  });

  it('gives testers their arbitraries, which work with the fast-check of the project', () => {
    const said = runScript(`
      import fc from 'fast-check';
      const { swapLog, buildSwap } = await import('swapfold/testing');
      fc.assert(fc.property(swapLog('maker'), (log) => log.role === 'maker'), { numRuns: 20 });
      console.log(typeof buildSwap);
    `);
    expect(said).toBe('function');
  });

  it('loads every entry point, with valid types', () => {
    const said = runScript(`
      for (const name of ${JSON.stringify(ENTRIES)}) if (Object.keys(await import(name)).length === 0) console.log(name);
      console.log('all');
    `);
    expect(said).toBe('all');
    expect(compiled(ENTRIES, ['node'])).toBe('');
  });
});
