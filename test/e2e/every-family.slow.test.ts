import { afterAll, beforeAll, expect, it } from 'vitest';
import { bytesToHex } from '../../src/primitives/hex.ts';
import type { Block } from '../../src/smartchain/chain/block.ts';
import { balanceOf } from '../../src/testing/cometbft/state.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { ETHER } from '../support/evm/two-wallets.ts';
import {
  ASSET,
  type FamilyChains,
  familyChains,
  type Holder,
  holderOf,
  IRIS,
  FAMILY_TICKERS as TICKERS,
  type FamilyTicker as Ticker,
} from '../support/family-chains.ts';
import { describeWith } from '../support/optional-part.ts';
import { type Serving, serving, servingFolder, until } from '../support/serving.ts';

describeWith(ANVIL, 'swapfold serve with a coin of every family, over HTTP alone', () => {
  const folder = servingFolder();
  let owner: Holder;
  let payee: Holder;
  let chains: FamilyChains;
  let node: Serving;

  beforeAll(async () => {
    [owner, payee] = [await holderOf('owner'), await holderOf('payee')];
    chains = await familyChains(folder, { miner: 'owner' });
    await chains.give(owner);
    node = await start();
  }, 120_000);
  afterAll(async () => {
    await node?.kill();
    await chains?.close();
  });

  const start = () => serving(folder, { name: 'owner', coins: chains.entries, config: { disable_p2p: true } });

  const enabled = async () => {
    const { result } = await node.call({ method: 'get_enabled_coins' });
    return (result as readonly { readonly ticker: string }[]).map(({ ticker }) => ticker).sort();
  };

  it('activates all with one batch of the requests of the guide, and reports the balance of each', async () => {
    await chains.activate(node);
    expect(await enabled()).toEqual(TICKERS);
    const six = '7.654321';
    const had = { ETH: '3', 'USDC-ERC20': six, IRIS: six, 'ATOM-IBC_IRIS': six, QTUM: '7.5', QTOK: six };
    for (const [coin, balance] of Object.entries(had))
      expect(await node.call({ method: 'my_balance', coin })).toMatchObject({
        ...{ coin, balance, unspendable_balance: '0', address: owner.addresses[coin as Ticker] },
      });
    // Its chain mines for the owner.
    const { balance } = await node.call({ method: 'my_balance', coin: 'DOC' });
    expect(Number(balance)).toBeGreaterThan(0);
  }, 60_000);

  /** Base units that outputs of blocks pay to an account. */
  const paidTo = (blocks: readonly Block[], account: string): bigint =>
    blocks
      .flatMap(({ transactions }) => transactions)
      .flatMap(({ transaction }) => transaction.outputs)
      .filter(({ script }) => bytesToHex(script) === `76a914${account}88ac`)
      .reduce((sum, { value }) => sum + value, 0n);
  const irisOf = (denom: string): bigint => balanceOf(chains.comet.tip().state, payee.addresses.IRIS, denom);

  /** What the other one has of each, in base units. */
  const books = async (): Promise<Readonly<Record<Ticker, bigint>>> => ({
    'ATOM-IBC_IRIS': irisOf(ASSET),
    DOC: paidTo(chains.doc.blocks(), payee.account),
    ETH: await chains.evm.balance(payee.evm),
    IRIS: irisOf(IRIS.denom),
    QTOK: await chains.qtum.machine.evm.tokensOf(chains.tokens.qtum, payee.account),
    QTUM: paidTo(chains.qtum.blocks, payee.account),
    'USDC-ERC20': await chains.evm.tokensOf(chains.tokens.evm, payee.evm),
  });

  it('withdraws from each to another account, which receives it according to the chain', async () => {
    for (const [place, coin] of TICKERS.entries()) {
      const amount = `1.2${place}`;
      const made = await node.call({ method: 'withdraw', coin, to: payee.addresses[coin], amount });
      expect(made, coin).toMatchObject({ total_amount: expect.any(String) });
      const { tx_hex } = made;
      expect(await node.call({ method: 'send_raw_transaction', coin, tx_hex })).toHaveProperty('tx_hash');
    }
    const paid = await until(async () => {
      const found = await books();
      return Object.values(found).every((units) => units > 0n) ? found : null;
    });
    expect(paid).toEqual({
      'ATOM-IBC_IRIS': 1_200_000n,
      DOC: 121_000_000n,
      ETH: (ETHER * 122n) / 100n,
      IRIS: 1_230_000n,
      QTOK: 1_240_000n,
      QTUM: 125_000_000n,
      'USDC-ERC20': 1_260_000n,
    });
  }, 60_000);

  it('says after a restart what returns automatically, and the rest returns by the same requests', async () => {
    expect(await node.stop()).toBe(0);
    node = await start();
    const again = ['ETH', 'USDC-ERC20', 'IRIS', 'ATOM-IBC_IRIS'];
    expect(node.row).toMatchObject({ again, before: ['DOC', 'QTUM', 'QTOK'], lost: [] });
    await until(async () => ((await enabled()).length >= again.length ? true : null));
    expect(await enabled()).toEqual([...again].sort());
    const there = { error_type: 'PlatformIsAlreadyActivated' };
    const success = { result: 'success' };
    expect(await chains.post(node, chains.requests)).toMatchObject([success, there, there, success, success]);
    expect(await enabled()).toEqual(TICKERS);
  }, 60_000);

  it('accepts orders between all of them', async () => {
    for (const [place, base] of TICKERS.entries()) {
      const rel = TICKERS[(place + 1) % TICKERS.length];
      const order = { method: 'setprice', base, rel, price: '2', volume: '0.5' };
      expect(await node.call(order), base).toMatchObject({ result: { base, rel } });
    }
    const { result } = await node.call({ method: 'my_orders' });
    expect(Object.keys((result as { readonly maker_orders: object }).maker_orders).length).toBe(TICKERS.length);
  }, 60_000);
});
