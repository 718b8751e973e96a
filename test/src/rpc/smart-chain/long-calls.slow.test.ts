import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { dispatch, methodTable } from '../../../../src/rpc/smart-chain/dispatch.ts';
import { METHODS } from '../../../../src/rpc/smart-chain/methods.ts';
import { encodeAddress } from '../../../../src/smartchain/encoding/address.ts';
import { PREFIXES } from '../../../../src/smartchain/params.ts';
import { openNode } from './method-context.ts';
import { keptLog } from './small-methods.ts';

const THOUSANDS = 50_000;

/** How often others have their turn while the work lasts. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  let turns = 0;
  const other = (): void => {
    turns++;
    if (!isDone) setImmediate(other);
  };
  setImmediate(other);
  await work();
  isDone = true;
  return turns;
}

/** A transaction of so many outputs of no value to a key. */
function manyOutputs(count: number): string {
  const length = count.toString(16).padStart(4, '0').match(/../g)?.reverse().join('') ?? '';
  const output = `${'00'.repeat(8)}1976a914${'5c'.repeat(20)}88ac`;
  return `0100000001${'11'.repeat(32)}0000000000fffffffffd${length}${output.repeat(count)}00000000`;
}

describe('a long call lets others have their turn', () => {
  // Each look at the clock finds a millisecond gone by, so what counts is how often work looks, on a fast machine too.
  beforeEach(() => {
    let looks = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => ++looks);
  });
  afterEach(() => void vi.restoreAllMocks());

  let ask: (method: string, ...params: readonly unknown[]) => Promise<string>;

  beforeAll(async () => {
    const context = await openNode();
    const terms = { methods: methodTable(METHODS), context, logger: keptLog() };
    ask = async (method, ...params) => (await dispatch(JSON.stringify({ method, params, id: 1 }), terms)).body;
  });

  it('that decodes a transaction of tens of thousands of outputs', async () => {
    let answer = '';
    const turns = await turnsDuring(async () => {
      answer = await ask('decoderawtransaction', manyOutputs(THOUSANDS));
    });
    expect(turns).toBeGreaterThan(2);
    expect(JSON.parse(answer).result.vout).toHaveLength(THOUSANDS);
  });

  it('that asks about tens of thousands of addresses', async () => {
    const addresses = Array.from({ length: 20_000 }, (_, index) => {
      const hash = new Uint8Array(20);
      new DataView(hash.buffer).setUint32(0, index);
      return encodeAddress({ kind: 'key', hash }, PREFIXES.main);
    });
    for (const method of ['getaddressutxos', 'getaddressbalance']) {
      let answer = '';
      const turns = await turnsDuring(async () => {
        answer = await ask(method, { addresses });
      });
      expect(turns).toBeGreaterThan(2);
      expect(JSON.parse(answer).error).toBeNull();
    }
  });

  it('that builds, signs or lists what has thousands of parts', async () => {
    const result = async (method: string, ...params: readonly unknown[]) => {
      let answer = '';
      const turns = await turnsDuring(async () => {
        answer = await ask(method, ...params);
      });
      return { turns, ...(JSON.parse(answer) as { result: never; error: { message: string } | null }) };
    };
    const addresses = Array.from({ length: 20_000 }, (_, index) => {
      const hash = new Uint8Array(20);
      new DataView(hash.buffer).setUint32(0, index);
      return encodeAddress({ kind: 'key', hash }, PREFIXES.main);
    });
    const mined = await result('generate', 1_500);
    expect(mined.turns).toBeGreaterThan(2);
    const listed = await result('listunspent');
    expect(listed.turns).toBeGreaterThan(2);
    const coins = (listed.result as { txid: string; vout: number }[]).slice(0, 1_000);
    expect(coins).toHaveLength(1_000);
    const outputs = Object.fromEntries(addresses.map((address) => [address, 0.001]));
    const raw = await result('createrawtransaction', coins, outputs);
    expect(raw.turns).toBeGreaterThan(2);
    const signed = await result('signrawtransaction', raw.result);
    expect(signed.turns).toBeGreaterThan(2);
    expect((signed.result as { complete: boolean }).complete).toBe(true);
    // Every fee payer is looked up once, however many are paid.
    const many = await result('sendmany', '', outputs, 1, '', addresses);
    expect(many.turns).toBeGreaterThan(2);
    expect(many.error?.message).toBe('Transaction too large');
  });
});
