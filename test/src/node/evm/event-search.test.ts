import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import { Births } from '../../../../src/node/births.ts';
import type { EvmActivationResult } from '../../../../src/ports/evm-activator.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import type { JsonObject } from '../../../../src/primitives/json.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { activating, WALLET } from '../../../support/evm/activating.ts';
import { EvmTestChain } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { type CountingProxy, countingProxy } from '../../../support/evm/counting-proxy.ts';
import { describeWith } from '../../../support/optional-part.ts';

const DEAD = 'http://127.0.0.1:1';
const NO_METHOD = { code: -32_601, message: 'the method eth_getLogs does not exist/is not available' };

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };
/** What is said to a search for events; undefined for what the chain says. */
type Searching = (filter: { readonly fromBlock: string; readonly toBlock: string }) => JsonObject | undefined;

describeWith(ANVIL, 'nodes of an EVM chain that should search events', () => {
  let chain: EvmTestChain;
  const proxies: CountingProxy[] = [];
  const made: EvmActivationResult[] = [];

  beforeAll(async () => {
    chain = await EvmTestChain.start();
  }, 60_000);
  afterEach(() => {
    for (const result of made.splice(0)) if (result.ok) result.value.close();
    for (const proxy of proxies.splice(0)) proxy.close();
  });
  afterAll(() => chain?.stop());

  /** Batches it refuses, so that each call is seen alone. */
  async function node(searching: Searching): Promise<CountingProxy> {
    const proxy = await countingProxy(chain.url, (body) => {
      if (Array.isArray(body)) return { status: 400, text: 'no batches' };
      const { id, method, params } = body as Call;
      const said = method === 'eth_getLogs' ? searching(params[0] as Parameters<Searching>[0]) : undefined;
      return said === undefined ? undefined : { text: JSON.stringify({ jsonrpc: '2.0', id, ...said }) };
    });
    proxies.push(proxy);
    return proxy;
  }
  const none = () => node(() => ({ error: NO_METHOD }));
  const good = () => node(() => undefined);
  const hostOf = ({ url }: CountingProxy) => new URL(url).host;

  async function activated(urls: readonly string[], members: JsonObject = {}, bench = activating(chain)) {
    const { result } = await bench.activate({ nodes: urls.map((url) => ({ url })), ...members });
    made.push(result);
    return { fault: result.ok ? null : result.fault, warnings: bench.warnings, homes: bench.homes.size };
  }
  const warningOf = (reason: string) => [
    'a node of an EVM chain does not search the events that swaps need',
    { chain: 31_337, reason },
  ];

  it('are named if one does not, and the activation fails if too few do', async () => {
    const [one, other, sound] = [await none(), await none(), await good()];
    const reason = (proxy: CountingProxy) => `${hostOf(proxy)} refuses eth_getLogs: ${NO_METHOD.message}`;
    const alone = await activated([one.url]);
    const need = 'Swaps need eth_getLogs: of the nodes that search events';
    expect(alone).toMatchObject({
      fault: { type: 'Transport', data: `${need} 1 must agree, and there are 0: ${reason(one)}`, passing: true },
      warnings: [warningOf(reason(one))],
      homes: 0,
    });
    const outnumbered = await activated([one.url, sound.url]);
    expect(outnumbered.fault).toMatchObject({ data: `${need} 2 must agree, and there is 1: ${reason(one)}` });
    const enough = await activated([one.url, sound.url, (await good()).url]);
    expect([enough.fault, enough.warnings]).toEqual([null, [warningOf(reason(one))]]);
    const { fault } = await activated([one.url, other.url]);
    expect([hostOf(one), hostOf(other)].filter((host) => String(fault?.data).includes(host))).toHaveLength(2);
  });

  it('may be silent then, limit how much they search at once, or lag', async () => {
    const limits: readonly Searching[] = [
      () => undefined,
      () => ({ error: { code: -32_005, message: 'too many requests' } }),
      () => ({ error: { code: -32_000, message: 'query returned more than 10000 results' } }),
      // Behind one address there may be one that lags.
      () => ({ error: { code: -32_000, message: 'header not found' } }),
      () => ({ error: { code: -32_001, message: 'no such resource' } }),
      ({ fromBlock, toBlock }) =>
        fromBlock === toBlock
          ? undefined
          : { error: { code: -32_600, message: 'eth_getLogs is limited to 1 block range' } },
    ];
    for (const limited of limits) {
      const { fault, warnings } = await activated([(await node(limited)).url]);
      expect([fault, warnings]).toEqual([null, []]);
    }
    expect((await activated([DEAD, (await good()).url])).fault).toBeNull();
  });

  it.each([
    ['runs', { finished: false }, true],
    ['is long over', { finished: true }, false],
  ])('are only named if a swap with the coin %s', async (_, { finished }, isActive) => {
    const log = createMemoryLog();
    const [key, uuid] = [bytesToHex(WALLET.coins.key), '11111111-2222-4333-8444-555555555555'];
    const started = { uuid, maker_coin: 'MAK', taker_coin: 'ETH', my_persistent_pub: key, started_at: 1_799_999_000 };
    const data = { ...started, maker_coin_start_block: 70, taker_coin_start_block: 900 };
    await log.append({
      stream: `taker-swap/${uuid}`,
      expected: 0,
      records: [{ at: millisOf(1_799_999_000_000), version: 1, type: 'Started', data }],
      labels: { makerCoin: 'MAK', takerCoin: 'ETH', finished },
    });
    const births = new Births({ log, now: () => millisOf(1_900_000_000_000), guardFor: 3600 });
    const one = await none();
    const { fault, warnings } = await activated([one.url], {}, activating(chain, { parts: { births } }));
    expect([fault === null, warnings]).toEqual([
      isActive,
      [warningOf(`${hostOf(one)} refuses eth_getLogs: ${NO_METHOD.message}`)],
    ]);
  });

  it('are no nodes that answer with something else', async () => {
    const odd = await node(() => ({ result: null }));
    const { fault } = await activated([odd.url]);
    expect(fault?.data).toContain(`${hostOf(odd)} answers eth_getLogs with something other than a list`);
  });

  it('need not if nobody can swap the coins', async () => {
    const { fault } = await activated([(await none()).url], { mm2: 0 });
    expect(fault).toBeNull();
  });
});
