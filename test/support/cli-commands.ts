import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { savedSwapText } from '../../src/events/encode.ts';
import { buildSwapPair } from '../../src/testing/logs/swap-builder.ts';
import { runCli, SAMPLES, scratchFolder } from './cli.ts';
import { SHARED_DIR } from './shared.ts';

/** One way to run a command. */
export type Trial = {
  readonly argv: readonly string[];
  /** What it writes to standard output is for programs. */
  readonly isData?: boolean;
};

/** A swap with names and amounts as long as they get. */
const { maker, taker } = buildSwapPair({
  seed: 'every command',
  makerCoin: 'WRAPPED-TOKEN-PLG20',
  takerCoin: 'USDT-BEP20-SEGWIT',
  amounts: { maker: '12345.12345678', taker: '98765.87654321' },
});

/** A maker whose node refused its payment, with all that it said. */
const REFUSED = JSON.stringify({
  type: 'Maker',
  uuid: '00000000-0000-4000-8000-00000000000a',
  maker_coin: 'LTC',
  taker_coin: 'DOC',
  events: [
    {
      timestamp: 1_700_000_000_000,
      event: {
        type: 'StartFailed',
        data: {
          error: `maker_swap:501] utxo_common:2718] JsonRpcError { code: -26, message: "66: min relay fee not met, 1000 < ${'1234'.repeat(12)}" } ${'a reason that goes on and on '.repeat(9)}`,
        },
      },
    },
    { timestamp: 1_700_000_000_001, event: { type: 'Finished' } },
  ],
  success_events: [],
  error_events: [],
});

const SESSION = [
  { is: 'start', at: 1, self: 'self', relay: false },
  { is: 'link', at: 1, link: 1, peer: 'peer', dialed: true },
  { is: 'end', at: 5, link: 1 },
]
  .map((entry) => `${JSON.stringify(entry)}\n`)
  .join('');

export type CommandFiles = ReturnType<typeof scratchFolder>;

/** What {@link trials} read. */
export async function commandFiles(): Promise<CommandFiles> {
  const files = scratchFolder({
    'pair/maker.json': savedSwapText(maker, 'spec'),
    'pair/taker.json': savedSwapText(taker, 'kdf'),
    'early.json': savedSwapText({ ...taker, events: taker.events.slice(0, 5) }, 'spec'),
    'other.json': savedSwapText({ ...taker, head: { ...taker.head, gui: 'another program' } }, 'spec'),
    'refused.json': REFUSED,
    'broken.json': '{',
    'session.jsonl': SESSION,
    'played/calm/chains.world': '',
  });
  const run = await runCli(['sim', '--seed', '17', '--runs', '1', '--json']);
  for (const name of ['one.json', 'two.json']) writeFileSync(files.file(name), run.out);
  const places = [files.file('pair'), join(SAMPLES, 'sound'), join(SAMPLES, 'damaged')];
  await runCli(['import', '--log', files.file('swaps.db'), ...places]);
  return files;
}

/** A log to change. */
const FRESH = 'fresh.db';

/** Every command that ends by itself, in all of its modes, over made swaps and what cannot be read, and over those that real nodes stored. */
export function trials(
  { file, path }: Pick<CommandFiles, 'file' | 'path'>,
  { recorded = false }: { readonly recorded?: boolean } = {},
): readonly Trial[] {
  const stored = [SAMPLES, file('pair'), file('refused.json'), file('broken.json')];
  const whole = [...(recorded ? [join(SHARED_DIR, 'swaps')] : []), ...stored];
  const log = ['--log', file('swaps.db')];
  const uuid = String(taker.uuid);
  const atRisk = '92898b96';
  const reading: readonly Trial[] = ['replay', 'explain', 'timeline', 'audit'].flatMap((name) => [
    { argv: [name, ...whole] },
    { argv: [name, file('swaps.db')] },
    { argv: [name, ...stored, '--coin', 'nope'] },
    { argv: [name, ...stored, '--sort', 'time', '--limit', '3'] },
    { argv: [name, file('pair'), '--json'], isData: true },
  ]);
  return [
    ...reading,
    { argv: ['replay', '--workers', '2', ...stored] },
    { argv: ['explain', file('pair/taker.json'), '--at', '4'] },
    { argv: ['explain', file('pair/taker.json'), '--at', '400'] },
    { argv: ['audit', ...stored, '--only', 'violated'] },
    { argv: ['diff', file('pair/maker.json'), file('pair/taker.json')] },
    { argv: ['diff', file('early.json'), file('pair/taker.json')] },
    { argv: ['diff', file('other.json'), file('pair/taker.json')] },
    { argv: ['diff', file('broken.json'), join(SAMPLES, 'sound')] },
    { argv: ['diff', file('pair/taker.json'), join(SAMPLES, 'sound/completed.json')] },
    ...['spec', 'kdf', 'jsonl', 'csv'].map((form) => ({
      argv: ['export', ...stored, '--format', form],
      isData: true,
    })),
    { argv: ['export', ...whole, '--format', 'csv', '--out', file('out.csv'), '--force'] },
    { argv: ['export', ...stored, '--format', 'spec', '--out', `${path}/exported/`, '--force'] },
    ...['mermaid', 'dot'].map((form) => ({ argv: ['graph', 'taker-swap', '--format', form], isData: true })),
    { argv: ['completion', 'fish'], isData: true },
    { argv: ['graph', 'watcher', '--out', file('watcher.txt'), '--force'] },
    { argv: ['swap', '--dir', file('swap'), '--journal', '--seed', '3', '--scenario', 'refund'] },
    { argv: ['swap', '--dir', file('swap'), '--kill-at', '99999'] },
    { argv: ['sim', '--runs', '1', '--seed', '5'] },
    { argv: ['sim', '--runs', '20'] },
    { argv: ['sim', '--runs', '3', '--json'], isData: true },
    { argv: ['sim', '--runs', '1', '--runtime'] },
    { argv: ['sim', '--runs', '2', '--runtime'] },
    { argv: ['sim', '--scenario', file('one.json')] },
    { argv: ['sim', '--scenario', path] },
    { argv: ['check', '--losses', '1', '--max-states', '100'] },
    { argv: ['import', ...whole, '--log', file(FRESH)] },
    { argv: ['import', ...stored, '--log', file(FRESH)] },
    { argv: ['status', ...log] },
    { argv: ['status', ...log, '--now', 'now', atRisk] },
    { argv: ['status', ...log, '--coin', 'nope'] },
    { argv: ['status', '--log', file('nowhere.db')] },
    { argv: ['recover', ...log, atRisk] },
    { argv: ['recover', ...log, uuid] },
    { argv: ['recover', ...log, 'ffffffff'] },
    { argv: ['allow-fees', ...log, atRisk, '--coin', 'DOC', '--most', '0.02'] },
    { argv: ['allow-fees', ...log, atRisk, '--coin', 'NOPE', '--most', 'any'] },
    { argv: ['capture', file('session.jsonl')] },
    { argv: ['capture', file('absent.jsonl')] },
    { argv: ['rpc', 'getinfo', '--datadir', file('nochain')] },
    { argv: ['rpc', 'getinfo', '--url', 'http://127.0.0.1:9/', '--rpcuser', 'a', '--rpcpassword', 'b'] },
    { argv: ['chain', '--name', 'no/name'] },
    { argv: ['serve', '--conf', file('absent/MM2.json')] },
    { argv: ['electrum', '--conf', file('absent.conf')] },
    { argv: ['trade', '--play', 'nope'] },
    { argv: ['demo', '--dir', file('played')] },
  ];
}
