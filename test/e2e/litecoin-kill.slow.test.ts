import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toBaseUnits } from '../../src/htlc/index.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import { heightOf, ledgerSince, scriptOf } from '../support/litecoin/ledger.ts';
import type { ChildTask } from '../support/litecoin/swap-child.ts';
import { AMOUNTS, type Chains, fundWorld, startChains, walletName } from '../support/litecoin/swap-world.ts';
import { LITECOIND } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CHILD = join(ROOT, 'dist/litecoin/test/support/litecoin/swap-child.js');
/** Inputs and outputs at which it is killed, of some hundred; with `SWAPFOLD_CRASH=all` each is one. */
const POINTS = 3;

type Ran = {
  readonly signal: string | null;
  readonly told: { readonly over: boolean; readonly boundaries: number } | null;
  readonly complaint: string;
};

function runChild(task: ChildTask): Promise<Ran> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [CHILD, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let complaint = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (_, signal) =>
      done({ signal, complaint, told: out === '' ? null : (JSON.parse(out) as Ran['told']) }),
    );
  });
}

describeWith(LITECOIND, 'a process that is killed in the middle of a swap between two chains of Litecoin Core', () => {
  let chains: Chains;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'swapfold-litecoin-kill-'));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', join(ROOT, 'test/support/litecoin')], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
    expect(status).toBe(0);
    chains = await startChains();
  }, 180_000);
  afterAll(() => {
    for (const chain of Object.values(chains ?? {})) chain.node.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const taskOf = async (name: string): Promise<ChildTask> => {
    await fundWorld({ chains, name });
    const part = (coin: keyof Chains) => {
      const { node, birth, settings } = chains[coin];
      return { access: node.access, birth, settings };
    };
    const dir = mkdtempSync(join(folder, 'logs-'));
    const from = { LTC: await heightOf(chains.LTC), OTHER: await heightOf(chains.OTHER) };
    return { dir, name, from, killAt: null, chains: { LTC: part('LTC'), OTHER: part('OTHER') } };
  };

  /** One payment on each side and one fee, both payments claimed by whom they are for. */
  const expectSwapped = async ({ name, from }: ChildTask, killAt: number | null): Promise<void> => {
    const LTC = await ledgerSince(chains.LTC, from.LTC);
    const OTHER = await ledgerSince(chains.OTHER, from.OTHER);
    const what = `killed at ${killAt}`;
    const claimed = (side: 'maker' | 'taker', amount: string) => [
      {
        txid: expect.any(String),
        value: toBaseUnits(amount as DecimalText),
        spend: expect.objectContaining({ how: 'claim', to: scriptOf(walletName(side, name)) }),
      },
    ];
    expect(LTC.payments, what).toEqual(claimed('taker', AMOUNTS.maker));
    expect(OTHER.payments, what).toEqual(claimed('maker', AMOUNTS.taker));
    expect(OTHER.fees, what).toHaveLength(1);
  };

  it('goes on from its log as if nothing had happened: one payment, one fee, both claimed', async () => {
    const calm = await taskOf('calm');
    const { told, complaint } = await runChild(calm);
    expect(complaint).toBe('');
    await expectSwapped(calm, null);
    const boundaries = told?.boundaries ?? 0;
    expect(boundaries).toBeGreaterThan(POINTS * 4);
    const count = process.env['SWAPFOLD_CRASH'] === 'all' ? boundaries : POINTS;
    for (let point = 1; point <= count; point++) {
      const killAt = Math.ceil((point * boundaries) / (count + 1));
      const task = await taskOf(`killed at ${killAt}`);
      const killed = await runChild({ ...task, killAt });
      expect(killed.signal, killed.complaint).toBe('SIGKILL');
      const resumed = await runChild(task);
      expect(resumed.told?.over, `killed at ${killAt}: ${resumed.complaint}`).toBe(true);
      await expectSwapped(task, killAt);
    }
  });
});
