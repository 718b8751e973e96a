import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { type ChainNode, openChainNode } from '../../../../src/cli/chain/chain-node.ts';
import { announcedUrl } from '../../../../src/cli/chain/running-url.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { systemClock } from '../../../../src/runtime/host/clock-system.ts';
import { scratchFolder } from '../../../support/cli.ts';
import { draws, SLOW } from '../../../support/draws.ts';
import { ledgerDigest, rebuiltLedger } from '../../../support/ledger-digest.ts';
import { expectBalances, expectNoDoubleSpend, expectSupplies } from '../../../support/smart-chain-recount.ts';
import { keptLog } from '../../rpc/smart-chain/small-methods.ts';

const PASSWORD = 'a-password-that-nobody-sees';
const CALLERS = draws({ sample: 20, change: 100, release: 200 });

async function open(folder: string) {
  const logger = keptLog();
  let stops = 0;
  const node = await openChainNode({
    name: 'RACE',
    folder,
    clock: systemClock(),
    logger,
    rules: { maturity: 1 },
    compatibility: 'specification',
    port: 0,
    user: 'user',
    password: new Secret(PASSWORD),
    seed: new Secret('many at once'),
    onStop: () => {
      stops += 1;
    },
  });
  return { node, logger, stops: () => stops, ...callsOf(node) };
}

type Reply = { result: unknown; error: { code: number; message: string } | null };

function callsOf({ url }: ChainNode) {
  const headers = { Authorization: `Basic ${Buffer.from(`user:${PASSWORD}`).toString('base64')}` };
  const ask = async (method: string, ...params: readonly unknown[]): Promise<Reply> => {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ method, params }) });
    return (await response.json()) as Reply;
  };
  const result = async <Value = string>(method: string, ...params: readonly unknown[]): Promise<Value> => {
    const { result: value, error } = await ask(method, ...params);
    if (error !== null) throw new Error(`${method}: ${error.message}`);
    return value as Value;
  };
  return { ask, result };
}

function expectWhole({ chain }: ChainNode): void {
  const { ledger } = chain.tree;
  expect(ledgerDigest(ledger)).toBe(ledgerDigest(rebuiltLedger(ledger)));
  expectBalances(ledger);
  expectSupplies(ledger);
  expectNoDoubleSpend(chain);
}

describe('many callers at once', () => {
  it(`W2: ${CALLERS} that mine, pay, move tokens and invalidate blocks leave a chain that is the sum of its blocks`, async () => {
    using scratch = scratchFolder();
    const { node, logger, ask, result } = await open(scratch.path);
    await result('generate', 5);
    const { hex } = await result<{ hex: string }>('tokencreate', 'KITE', '0.00005');
    const token = await result('sendrawtransaction', hex);
    await result('generate', 1);
    const address = await result('getnewaddress');
    const { pubkey } = await result<{ pubkey: string }>('validateaddress', address);
    const acts: readonly (() => Promise<Reply>)[] = [
      () => ask('generate', 1),
      () => ask('sendtoaddress', address, '0.01'),
      async () => {
        const built = (await ask('tokentransfer', token, pubkey, '3')).result as { hex?: string };
        return ask('sendrawtransaction', built.hex ?? '');
      },
      async () => ask('invalidateblock', await result('getbestblockhash')),
      async () => ask('reconsiderblock', await result('getblockhash', 2)),
    ];
    const replies = await Promise.all(Array.from({ length: CALLERS }, (_, index) => acts[index % acts.length]?.()));
    expect(replies.filter((reply) => reply?.error === null).length).toBeGreaterThan(CALLERS * 0.4);
    // What another caller was quicker with is refused in the node's own words; nothing fails inside.
    const codes = new Set(replies.map((reply) => reply?.error?.code));
    expect([...codes].filter((code) => ![undefined, -4, -5, -6, -8, -20, -22, -25, -26, -27].includes(code))).toEqual(
      [],
    );
    expect(logger.lines).toEqual([]);
    expectWhole(node);
    const digest = ledgerDigest(node.chain.tree.ledger);
    await node.close();
    const again = await open(scratch.path);
    expect(ledgerDigest(again.node.chain.tree.ledger)).toBe(digest);
    await again.node.close();
  });

  it('blocks that replace an invalidated one in the same second are new ones', async () => {
    using scratch = scratchFolder();
    const { node, result } = await open(scratch.path);
    // Their times run ahead of the clock, so that each next time follows from the blocks alone.
    await result('generate', 30);
    const tips = new Set<string>();
    for (let count = 0; count < 5; count++) {
      const [tip = ''] = await result<string[]>('generate', 1);
      tips.add(tip);
      await result('invalidateblock', tip);
    }
    expect(tips.size).toBe(5);
    expectWhole(node);
    await node.close();
  });

  it('a long batch leaves others their turn', async () => {
    using scratch = scratchFolder();
    const { node, result } = await open(scratch.path);
    const headers = { Authorization: `Basic ${Buffer.from(`user:${PASSWORD}`).toString('base64')}` };
    const body = JSON.stringify(Array.from({ length: 1000 }, () => ({ method: 'getinfo', params: [] })));
    // Each look at the clock finds a millisecond gone by: what counts is how often a batch looks, on a fast machine too.
    let looks = 0;
    using clock = vi.spyOn(performance, 'now').mockImplementation(() => ++looks);
    let over = false;
    const batch = fetch(node.url, { method: 'POST', headers, body }).then(async (response) => {
      const rows = (await response.json()) as unknown[];
      over = true;
      return rows.length;
    });
    let between = 0;
    while (!over) {
      await result('getblockcount');
      between++;
    }
    expect(await batch).toBe(1000);
    expect(between).toBeGreaterThan(20);
    expect(clock).toHaveBeenCalled();
    await node.close();
  });

  it('a node that closes answers what it began, completely, and keeps what it mined', async () => {
    using scratch = scratchFolder();
    const { node, ask, result } = await open(scratch.path);
    await result('generate', 1);
    const calls = Array.from({ length: 20 }, () => ask('generate', 5).catch(() => undefined));
    await turn();
    await node.close();
    const told = (await Promise.all(calls)).flatMap((reply) => (reply?.result as string[] | null) ?? []);
    const again = await open(scratch.path);
    expect(told.filter((hash) => !again.node.chain.tree.nodes.has(hash))).toEqual([]);
    expectWhole(again.node);
    await again.node.close();
  });
});

describe('a folder that another process uses', () => {
  it('is left alone, and it is said so', async () => {
    using scratch = scratchFolder();
    const first = await open(scratch.path);
    await expect(open(scratch.path)).rejects.toMatchObject({ code: 'LOG_LOCKED', retry: 'operator' });
    expect(await announcedUrl(scratch.path, 'RACE')).toBe(first.node.url);
    expect(await first.result('generate', 1)).toHaveLength(1);
    await first.node.close();
    expect(existsSync(scratch.file('RACE.url'))).toBe(false);
  });
});

describe('a conf file', () => {
  it.each([
    ['nothing', ''],
    ['no password', 'rpcuser=me\n'],
    ['an empty password', `rpcuser=${PASSWORD}\nrpcpassword=\n`],
    ['bytes that are no text', '\u0000\u0001\ufffd=\u0000'],
    ['a port that is none', `rpcuser=me\nrpcpassword=${PASSWORD}\nrpcport=70000\n`],
    ['an address that is none', `rpcuser=me\nrpcpassword=${PASSWORD}\nrpcallowip=everybody\n`],
    ['a place that is none', `rpcuser=me\nrpcpassword=${PASSWORD}\nrpcbind=999.1.1.1\n`],
    ['a supply that is none', `rpcuser=me\nrpcpassword=${PASSWORD}\nsupply=many\n`],
  ])('with %s stops the start, reveals no password, and leaves nothing open', async (_, text) => {
    using scratch = scratchFolder({ 'RACE.conf': text });
    const failed = await openChainNode({
      name: 'RACE',
      folder: scratch.path,
      clock: systemClock(),
      logger: keptLog(),
      rules: {},
      compatibility: 'specification',
      onStop: () => {},
      ...(text.includes('rpcport') ? {} : { port: 0 }),
    }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Error);
    const told = `${(failed as Error).message} ${(failed as Error).stack} ${JSON.stringify(failed)}`;
    expect(told).not.toContain(PASSWORD);
    expect(existsSync(scratch.file('RACE.url'))).toBe(false);
    writeFileSync(scratch.file('RACE.conf'), 'rpcuser=me\nrpcpassword=good\n');
    await (await open(scratch.path)).node.close();
  });

  it('that is a folder stops the start', async () => {
    using scratch = scratchFolder();
    mkdirSync(scratch.file('RACE.conf'));
    await expect(open(scratch.path)).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      facts: { file: scratch.file('RACE.conf') },
    });
  });
});

// Nothing is written for fewer blocks.
if (SLOW)
  describe('the snapshot of a chain', () => {
    it('is written at the end of a process, read at the start of the next one, and passed over when it is damaged', async () => {
      using scratch = scratchFolder();
      const first = await open(scratch.path);
      const { snapshot } = first.node.files;
      await first.result('generate', 1_000);
      const tip = await first.result('getbestblockhash');
      const balance = await first.result<number>('getbalance');
      expect(existsSync(snapshot)).toBe(false);
      await first.node.close();
      const written = readFileSync(snapshot);
      for (const bytes of [written, written.subarray(0, 5_000), undefined]) {
        if (bytes === undefined) rmSync(snapshot);
        else writeFileSync(snapshot, bytes);
        const { node, result, logger } = await open(scratch.path);
        expect([await result('getbestblockhash'), await result('getbalance')]).toEqual([tip, balance]);
        expectWhole(node);
        await node.close();
        expect(readFileSync(snapshot).equals(written)).toBe(true);
        expect(logger.lines).toEqual([]);
      }
    });
  });
