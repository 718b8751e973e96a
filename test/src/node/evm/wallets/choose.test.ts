import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { RemoteTrouble } from '../../../../../src/hardware/remote/simulated-wallet.ts';
import { simulatedRemoteWallet } from '../../../../../src/hardware/simulator/index.ts';
import { MESSAGE } from '../../../../../src/hardware/trezor/message-types.ts';
import { createMemoryLog } from '../../../../../src/log/memory/index.ts';
import { DeviceKeys } from '../../../../../src/node/evm/wallets/account-keys.ts';
import type { WalletPaths } from '../../../../../src/node/evm/wallets/choose.ts';
import { walletOfWords } from '../../../../../src/node/hd-keys.ts';
import type { ActivatedEvm } from '../../../../../src/ports/evm-activator.ts';
import { bytesToHex } from '../../../../../src/primitives/hex.ts';
import { Secret } from '../../../../../src/primitives/secret.ts';
import { activating, madeOf } from '../../../../support/evm/activating.ts';
import { CHAIN_ID, EvmTestChain } from '../../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../../support/evm/anvil.ts';
import { ETHER } from '../../../../support/evm/two-wallets.ts';
import { testDevice, WORDS } from '../../../../support/hardware.ts';
import { describeWith } from '../../../../support/optional-part.ts';
import { virtualClock } from '../../../../support/virtual-clock.ts';

const OWN = { derivation_path: "m/44'/60'", trezor_coin: 'Ethereum' };
const KEY = Uint8Array.from({ length: 32 }, (_, place) => place + 9);
const TOPIC = 'ab'.repeat(32);

const accountAt = (accountIndex: number, addressIndex: number) =>
  mnemonicToAccount(WORDS, { accountIndex, addressIndex }).address;
const bare = (address: string) => address.slice(2).toLowerCase();

describeWith(ANVIL, 'the wallet that a request is about', () => {
  let chain: EvmTestChain;
  let token: string;
  const opened: ActivatedEvm[] = [];
  const words = walletOfWords(new Secret(WORDS));
  const paths: WalletPaths = { signerOf: words.ofPath, xpubAt: words.xpubAt };

  beforeAll(async () => {
    chain = await EvmTestChain.start();
    token = await chain.token({ decimals: 6 });
    await chain.give(bare(accountAt(0, 0)), ETHER / 2n);
    await chain.give(bare(accountAt(0, 2)), ETHER / 2n);
    await chain.mint(token, bare(accountAt(0, 4)), 1_500_000n);
  }, 60_000);
  afterEach(() => {
    for (const { close } of opened.splice(0)) close();
  });
  afterAll(() => chain?.stop());

  function bench(
    parts: NonNullable<Parameters<typeof activating>[1]>['parts'],
    compatibility: 'specification' | 'kdf' = 'specification',
  ) {
    const { activate } = activating(chain, {
      compatibility,
      own: OWN,
      tokens: { SIX: { contract: token } },
      ...(parts === undefined ? {} : { parts }),
    });
    return {
      activate,
      async made(...asked: Parameters<typeof activate>) {
        const { result, steps } = await activate(...asked);
        const made = madeOf(result);
        opened.push(made);
        return { ...made, steps };
      },
    };
  }

  it('of a node with a seed phrase has all accounts with their balances, and trades with the address of the path', async () => {
    const { made } = bench({ paths, signer: words });
    const erc20_tokens_requests = [{ ticker: 'SIX' }];
    const first = await made({ erc20_tokens_requests, path_to_address: { address_id: 2 } });
    expect(first.steps).toEqual(['RequestingWalletBalance', 'Finishing']);
    expect(first.coins[0]?.address).toBe(accountAt(0, 2));
    if (first.wallet.kind !== 'hd') throw new Error('one address');
    const [account] = first.wallet.accounts;
    expect(account?.addresses.map(({ address }) => address)).toEqual([0, 1, 2, 3, 4].map((at) => accountAt(0, at)));
    expect(account?.addresses[0]).toEqual({
      address: accountAt(0, 0),
      derivationPath: "m/44'/60'/0'/0/0",
      chain: 'External',
      balance: { ETH: { spendable: '0.5', unspendable: '0' }, SIX: { spendable: '0', unspendable: '0' } },
    });
    expect(account?.addresses[1]?.balance).toEqual({});
    expect(account?.total).toEqual({
      ETH: { spendable: '1.0', unspendable: '0' },
      SIX: { spendable: '1.5', unspendable: '0' },
    });
    first.close();
    const second = await made({ path_to_address: { account_id: 1 } });
    expect(second.wallet).toMatchObject({ accounts: [{ index: 1 }] });
    second.close();
    expect((await made({ erc20_tokens_requests })).wallet).toMatchObject({
      accounts: [{ index: 0, total: account?.total }, { index: 1 }],
    });
  });

  it('of a node with words reports what all of its addresses hold, of the coin and of its tokens', async () => {
    const { made } = bench({ paths, signer: words });
    const { coins } = await made({ erc20_tokens_requests: [{ ticker: 'SIX' }] });
    const [ether, six] = await Promise.all(coins.map((coin) => coin.others?.()));
    const told = (answer: typeof ether) =>
      answer?.ok === true ? answer.value.map(({ address, balances }) => [address, balances.spendable]) : null;
    const others = [1, 2, 3, 4].map(accountAt.bind(null, 0));
    expect(told(ether)).toEqual(others.map((address, place) => [address, place === 1 ? '0.5' : '0']));
    expect(told(six)).toEqual(others.map((address, place) => [address, place === 3 ? '1.5' : '0']));
    await chain.give(bare(accountAt(0, 1)), ETHER);
    await chain.mine();
    expect(told(await coins[0]?.others?.())?.[0]).toEqual([accountAt(0, 1), '1']);
    await chain.give(bare(accountAt(0, 1)), 0n);
    await chain.mine();
  });

  it('of a node with words is scanned by the first activation that a node answers', async () => {
    const { made, activate } = bench({ paths, signer: words });
    const dead = await activate({ nodes: [{ url: 'http://127.0.0.1:1' }] });
    expect(dead.result).toMatchObject({ fault: { type: 'Transport' } });
    const { wallet } = await made();
    if (wallet.kind !== 'hd') throw new Error('one address');
    const [account] = wallet.accounts;
    expect(account?.addresses.map(({ address }) => address)).toEqual([0, 1, 2].map((at) => accountAt(0, at)));
    expect(account?.total).toEqual({ ETH: { spendable: '1.0', unspendable: '0' } });
  });

  it('of a node with a seed phrase has no balances if nobody wants them, except in the real node', async () => {
    const members = { get_balances: false, scan_policy: 'do_not_scan' };
    const { wallet, steps } = await bench({ paths, signer: words }).made(members);
    expect([steps, wallet]).toMatchObject([['Finishing'], { accounts: [{ addresses: [{ balance: {} }] }] }]);
    const theirs = await bench({ paths, signer: words }, 'kdf').made(members);
    expect([theirs.steps, theirs.wallet]).toMatchObject([[], { accounts: [{ total: { ETH: { spendable: '0.5' } } }] }]);
  });

  it('of a node with words is not known without the path of the coin, nor with collectibles', async () => {
    const { activate } = bench({ paths, signer: words });
    const nft_req = { provider: { type: 'Moralis', info: { url: 'http://127.0.0.1:9' } } };
    expect((await activate({ nft_req })).result).toEqual({
      ok: false,
      fault: { type: 'UnexpectedDerivationMethod', data: "Expected 'SingleAddress' derivation method" },
    });
    const far = activating(chain, { parts: { paths, signer: words } });
    expect((await far.activate()).result).toEqual({
      ok: false,
      fault: { type: 'InvalidPayload', data: 'invalid type: null, expected a string' },
    });
  });

  it('of a node whose accounts nobody reports has the one address of its path, as with enable', async () => {
    const { made, activate } = bench({ paths: { signerOf: words.ofPath, xpubAt: null }, signer: words });
    const { wallet, coins } = await made({ path_to_address: { address_id: 2 } });
    expect(wallet).toMatchObject({
      kind: 'address',
      address: accountAt(0, 2),
      balances: { ETH: { spendable: '0.5' } },
    });
    expect(coins[0]?.walletOnly).toBe(false);
    const { result } = await activate({ path_to_address: { address_id: 2 ** 31 } });
    expect(result).toMatchObject({ ok: false, fault: { type: 'InvalidPayload' } });
  });

  it('in a device has the accounts of the device, needs it once, and trades nothing', async () => {
    const { wallet, traffic } = await testDevice();
    const log = createMemoryLog();
    const keyed = () => ({ device: new DeviceKeys({ device: wallet, waitMs: 0 }), log });
    const members = { priv_key_policy: 'Trezor', scan_policy: 'do_not_scan', path_to_address: { account_id: 3 } };
    const { made } = bench(keyed());
    const first = await made(members);
    expect(first.wallet).toMatchObject({ accounts: [{ index: 3, addresses: [{ address: accountAt(3, 0) }] }] });
    expect(first.coins.map(({ walletOnly, address }) => [walletOnly, address])).toEqual([[true, accountAt(3, 0)]]);
    const until = traffic.length;
    const second = await made(members);
    expect(second.wallet).toEqual(first.wallet);
    expect(
      traffic.slice(until).filter(({ direction, type }) => direction === 'in' && type !== MESSAGE.endSession),
    ).toEqual([]);
    await chain.give(bare(accountAt(3, 0)), ETHER);
    const answer = await second.coins[0]?.wallet.withdraw({ to: accountAt(0, 0), amount: null, fee: null });
    expect(answer).toMatchObject({ ok: false, refusal: { text: expect.stringContaining('hardware wallet') } });
  });

  it('in a device is not asked for while no node answers, or if there is no device', async () => {
    const { wallet, traffic } = await testDevice();
    const { activate } = bench({ device: new DeviceKeys({ device: wallet, waitMs: 0 }) });
    const dead = await activate({ priv_key_policy: 'Trezor', nodes: [{ url: 'http://127.0.0.1:1' }] });
    expect(dead.result).toMatchObject({ fault: { type: 'Transport' } });
    expect(traffic).toEqual([]);
    const none = await bench({}).activate({ priv_key_policy: 'Trezor' });
    expect(none.result).toEqual({ ok: false, fault: { type: 'Internal', data: 'Hardware wallet is not initalised' } });
  });

  it('E3: elsewhere is the account of its session, which signs withdrawals, only whole transactions', async () => {
    const owner = privateKeyToAccount(`0x${bytesToHex(KEY)}`);
    let denies = false;
    const trouble = () => (denies ? ('deny' as const) : undefined);
    const remote = simulatedRemoteWallet({ secretKey: new Secret(KEY), topic: TOPIC, chainIds: [CHAIN_ID], trouble });
    await chain.give(bare(owner.address), ETHER);
    const { made, activate } = bench({ remote });
    const priv_key_policy = { type: 'WalletConnect', params: { session_topic: TOPIC } };
    const task = new AbortController();
    const { wallet, coins } = await made({ priv_key_policy }, task);
    // The signal of a task that is over is aborted.
    task.abort();
    expect(wallet).toMatchObject({ kind: 'address', address: owner.address, balances: { ETH: { spendable: '1' } } });
    const answer = await coins[0]?.wallet.withdraw({ to: accountAt(0, 1), amount: null, fee: null });
    expect(answer).toMatchObject({ ok: true });
    expect(remote.asked).toEqual(['personal_sign', 'eth_signTransaction']);
    denies = true;
    const denied = await coins[0]?.wallet.withdraw({ to: accountAt(0, 1), amount: null, fee: null });
    expect(denied).toMatchObject({ ok: false, refusal: { text: expect.stringContaining('the code 4001') } });
    const unknown = { type: 'WalletConnect', params: { session_topic: 'cd'.repeat(32) } };
    expect((await activate({ priv_key_policy: unknown })).result).toEqual({
      ok: false,
      fault: { type: 'WalletConnectError', data: 'Session Error: No active WalletConnect session found' },
    });
  });

  it('elsewhere that is asked for a payment and says no, or nothing, is no fact about the chain, and others continue', async () => {
    const owner = privateKeyToAccount(`0x${bytesToHex(KEY)}`);
    let does: RemoteTrouble | undefined;
    const remote = simulatedRemoteWallet({
      ...{ secretKey: new Secret(KEY), topic: TOPIC, chainIds: [CHAIN_ID] },
      trouble: ({ method }) => (method === 'personal_sign' ? undefined : does),
    });
    await chain.give(bare(owner.address), ETHER);
    const clock = virtualClock();
    const { made } = bench({ remote, clock });
    const { coins } = await made({ priv_key_policy: { type: 'WalletConnect', params: { session_topic: TOPIC } } });
    const pay = (swap: string) =>
      coins[0]?.chain.prepare({ purpose: 'fee', feeSat: 5n, burnSat: 0n, urgency: 0, replaces: null }, { swap });
    const refused = (why: string) => ({
      ok: false,
      fault: { kind: 'unavailable', message: expect.stringContaining(why) },
    });
    does = 'deny';
    expect(await pay('denied')).toMatchObject(refused('4001'));
    does = 'silence';
    const silent = pay('silent');
    const quote = coins[0]?.chain.quote();
    await expect.poll(() => remote.asked.at(-1) === 'eth_signTransaction' && remote.asked.length === 3).toBe(true);
    await clock.advance(59_999);
    does = undefined;
    await clock.advance(1);
    expect(await silent).toMatchObject(refused('timeout'));
    expect(await quote).toMatchObject({ ok: true });
    expect(await pay('confirmed')).toMatchObject({ ok: true, value: { spends: [expect.stringMatching(/0$/)] } });
  });

  it('is reported with the collectibles of its address', async () => {
    const item = {
      token_address: `0x${'5a'.repeat(20)}`,
      token_id: '1',
      amount: '1',
      block_number: '2',
      contract_type: 'ERC721',
    };
    const server = createServer(({ url = '' }, response) => {
      const owner_of = url.split('/')[3];
      response.end(JSON.stringify({ result: [{ ...item, owner_of }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { made, activate } = bench({});
    const nft_req = (changes: object = {}) => ({ provider: { type: 'Moralis', info: { url, ...changes } } });
    const { nfts } = await made({ nft_req: nft_req() });
    expect(nfts).toEqual({
      [`0x${'5a'.repeat(20)},1`]: {
        token_address: item.token_address,
        token_id: '1',
        chain: 'ETH',
        contract_type: 'ERC721',
        amount: '1',
      },
    });
    expect((await activate({ nft_req: nft_req({ komodo_proxy: true }) })).result).toMatchObject({
      fault: { type: 'InvalidPayload' },
    });
    server.close();
    expect((await activate({ nft_req: nft_req({ url: 'http://127.0.0.1:1' }) })).result).toMatchObject({
      fault: { type: 'Transport' },
    });
  });

  it('has the same addresses, whichever implementation derives them', () => {
    const root = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS));
    expect(words.xpubAt("m/44'/60'/3'")).toBe(root.derive("m/44'/60'/3'").publicExtendedKey);
  });
});
