import { afterAll, beforeAll, expect, it } from 'vitest';
import { EvmAccount } from '../../../../src/chains/evm/account.ts';
import { addressText } from '../../../../src/chains/evm/address.ts';
import { checkEvmCoins } from '../../../../src/chains/evm/check-coin.ts';
import type { EvmCoin } from '../../../../src/chains/evm/coin.ts';
import { approvalCall } from '../../../../src/htlc/token-calls.ts';
import { type DecimalText, fromBaseUnits, toBaseUnits } from '../../../../src/primitives/decimal.ts';
import { DEX_FEE_ACCOUNT } from '../../../../src/replay/audit/fees.ts';
import { addressOf, CHAIN_ID, signerOf } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { FIRST, goodOf, kindOf, SWAP, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

describeWith(ANVIL, 'tokens of an EVM chain', () => {
  let world: TwoWallets;
  const sender = addressOf('sender');
  const receiver = addressOf('receiver');

  beforeAll(async () => {
    world = await TwoWallets.open();
  }, 60_000);
  afterAll(() => world?.chain.stop());

  async function coinOf(decimals: number, kind: { strict?: boolean; tax?: bigint } = {}): Promise<Partial<EvmCoin>> {
    const owned = 10n ** BigInt(decimals) * 1000n;
    const address = await world.chain.token({ decimals, ...kind }, { sender: owned, receiver: 7n });
    return { coin: 'TKN', decimals, token: { address, platform: 'ETH' } };
  }
  const addressIn = ({ token }: Partial<EvmCoin>): string => token?.address ?? '';

  it.each([
    [6, '1.234567', 1_234_567n],
    [8, '1.23456789', 123_456_789n],
    [18, '1.234567890123456789', 1_234_567_890_123_456_789n],
  ])('of %i digits are paid, claimed and counted to the last base unit', async (decimals, amount, units) => {
    const coin = await coinOf(decimals);
    const [from, to] = [world.wallet('sender', { coin }), world.wallet('receiver', { coin })];
    const { secret, terms } = world.terms(amount, coin);
    const funding = await world.paid(from, terms);
    const held = () => world.chain.tokensOf(addressIn(coin), world.chain.contract);
    expect(await held()).toBe(units);
    expect(await world.chain.allowance(addressIn(coin), sender)).toBe(0n);
    const claim = await world.make(to, { purpose: 'claim', terms, funding, secret, ...FIRST });
    await goodOf(to.broadcast(claim));
    await world.chain.mine();
    expect(await held()).toBe(0n);
    expect(await world.chain.tokensOf(addressIn(coin), receiver)).toBe(units + 7n);
    const { spend } = await goodOf(from.payment({ terms }));
    expect([spend?.how, spend?.secret, spend?.confirmations]).toEqual(['secret', secret, 1]);
  });

  it('are approved exactly, each payment after its own approval, also several at once', async () => {
    const coin = await coinOf(6, { strict: true });
    const from = world.wallet('sender', { coin });
    // The last one is below what the first ones are approved for.
    const asked = ['2.5', '3.75', '1.5'].map((amount) => world.terms(amount, coin).terms);
    const payments = [];
    for (const terms of asked) payments.push(await world.payment(from, terms));
    for (const payment of payments) expect(await goodOf(from.broadcast(payment))).toBe('sent');
    await world.chain.mine();
    for (const terms of asked) expect((await goodOf(from.payment({ terms }))).funding?.confirmations).toBe(1);
    expect(await world.chain.tokensOf(addressIn(coin), world.chain.contract)).toBe(7_750_000n);
    expect(await world.chain.allowance(addressIn(coin), sender)).toBe(0n);
  });

  it('that refuse to change an approval are first approved for zero if a rest is left', async () => {
    const coin = await coinOf(6, { strict: true });
    await world.chain.act({ from: sender, to: addressIn(coin), data: `0x${approvalCall(world.chain.contract, 5n)}` });
    await world.chain.give(sender, 50n * 10n ** 18n);
    const from = world.wallet('sender', { coin });
    const { terms } = world.terms('2.5', coin);
    await world.paid(from, terms);
    expect((await goodOf(from.payment({ terms }))).funding?.confirmations).toBe(1);
    expect(await world.chain.allowance(addressIn(coin), sender)).toBe(0n);
  });

  it('are paid at a higher fee with a dearer approval, and the cheaper ones never confirm', async () => {
    const coin = await coinOf(6);
    const from = world.wallet('sender', { coin });
    const { terms } = world.terms('2.5', coin);
    const cheap = await world.payment(from, terms);
    await goodOf(from.broadcast(cheap));
    const dear = await world.make(from, { purpose: 'payment', terms, urgency: 2, replaces: cheap });
    expect(Number(dear.fee)).toBeGreaterThan(Number(cheap.fee));
    expect(await goodOf(from.broadcast(dear))).toBe('sent');
    await world.chain.mine();
    expect((await goodOf(from.payment({ terms }))).funding?.tx.tx_hash).toBe(dear.tx_hash);
    expect((await goodOf(from.transaction(cheap.tx_hash))).status).toBe('conflicted');
    expect(await world.chain.tokensOf(addressIn(coin), world.chain.contract)).toBe(2_500_000n);
  });

  it('whose approval was in no log are approved again after a restart', async () => {
    const coin = await coinOf(8);
    const { terms } = world.terms('2.5', coin);
    const payment = await world.payment(world.wallet('sender', { coin }), terms);
    const again = world.wallet('sender', { coin });
    again.reserve([payment]);
    again.resumed();
    expect(await goodOf(again.broadcast(payment))).toBe('sent');
    await world.chain.mine();
    expect((await goodOf(again.payment({ terms }))).funding?.confirmations).toBe(1);
    expect(await world.chain.tokensOf(addressIn(coin), world.chain.contract)).toBe(250_000_000n);
  });

  it('of another token are no payment and no fee', async () => {
    const [coin, other] = [await coinOf(6), await coinOf(6)];
    const { terms } = world.terms('2.5', coin);
    await world.paid(world.wallet('sender', { coin: other }), terms);
    const { funding, problem } = await goodOf(world.wallet('receiver', { coin }).payment({ terms }));
    expect([funding === null, problem === null]).toEqual([false, false]);
    const from = world.wallet('sender', { coin: other });
    const fee = await world.fee(from, 4321n);
    await goodOf(from.broadcast(fee));
    await world.chain.mine();
    expect(await world.chain.tokensOf(addressIn(other), DEX_FEE_ACCOUNT)).toBe(4321n);
    const check = {
      tx: fee.tx_hex,
      hash: fee.tx_hash,
      payer: from.htlcKey(''),
      feeSat: 4321n,
      burnSat: 0n,
      minHeight: 0,
    };
    const judged = (of: Partial<EvmCoin>) => goodOf(world.wallet('receiver', { coin: of }).checkFee(check, SWAP));
    expect(await judged(other)).toBeNull();
    for (const of of [coin, {}]) expect(await judged(of)).toMatch(/^Invalid receiver/);
  });

  it.each([
    ['tells nobody of what it moves', 'returns nothing', null],
    ['moves nothing and does not revert', 'moves nothing', /moved no tokens$/],
    ['keeps a part of it', 'takes a fee', /moved no tokens$/],
  ] as const)('that %s: the fee is what came to its account in that block', async (_, manner, problem) => {
    const address = await world.chain.moodyToken({ sender: 10_000n });
    const coin = { coin: 'TKN', decimals: 6, token: { address, platform: 'ETH' } };
    const from = world.wallet('sender', { coin });
    const fee = await world.fee(from, 4321n);
    await world.chain.behave(address, manner);
    // Others come to the account in the blocks before and after.
    await world.chain.mint(address, DEX_FEE_ACCOUNT, 50_000n);
    await goodOf(from.broadcast(fee));
    await world.chain.mine();
    await world.chain.mint(address, DEX_FEE_ACCOUNT, 70_000n);
    const check = {
      tx: fee.tx_hex,
      hash: fee.tx_hash,
      payer: from.htlcKey(''),
      feeSat: 4321n,
      burnSat: 0n,
      minHeight: 0,
    };
    const found = await goodOf(world.wallet('receiver', { coin }).checkFee(check, SWAP));
    if (problem === null) expect(found).toBeNull();
    else expect(found).toMatch(problem);
  });

  it('that keep a part of each transfer are refused by name, and a payment of them takes nothing', async () => {
    const coin = await coinOf(6, { tax: 3n });
    const look = await world.chain.account('sender').reader.look();
    await expect(checkEvmCoins({ coins: [world.chain.coin(coin)], look, account: sender })).rejects.toMatchObject({
      code: 'EVM_TOKEN_NOT_STANDARD',
      facts: { 'base units sent': '1000000000', 'base units received': '999999997' },
    });
    const from = world.wallet('sender', { coin });
    const { terms } = world.terms('2.5', coin);
    const payment = await world.paid(from, terms);
    expect(await goodOf(from.transaction(payment.tx_hash))).toMatchObject({ status: 'reverted', confirmations: 1 });
    expect((await goodOf(from.payment({ terms }))).funding).toBeNull();
    expect(await world.chain.tokensOf(addressIn(coin), sender)).toBe(1_000_000_000n);
  });

  it('are checked against the chain before they are used', async () => {
    const coin = await coinOf(6);
    const look = await world.chain.account('sender').reader.look();
    const check = (changes: Partial<EvmCoin>) =>
      checkEvmCoins({ coins: [world.chain.coin({ ...coin, ...changes })], look, account: sender });
    await check({});
    await expect(check({ decimals: 8 })).rejects.toMatchObject({ code: 'EVM_TOKEN_DECIMALS' });
    const nowhere = { address: 'ab'.repeat(20), platform: 'ETH' };
    await expect(check({ token: nowhere })).rejects.toMatchObject({ code: 'EVM_TOKEN_ABSENT' });
    await expect(check({ contract: addressIn(coin) })).rejects.toMatchObject({ code: 'EVM_CONTRACT_ABSENT' });
    await expect(check({ contract: 'ab'.repeat(20) })).rejects.toMatchObject({ code: 'EVM_CONTRACT_ABSENT' });
    await expect(check({ fallbackContract: 'ab'.repeat(20) })).rejects.toMatchObject({
      code: 'EVM_CONTRACT_ABSENT',
      facts: { contract: addressText('ab'.repeat(20)) },
    });
  });

  it('leave the ether that is held for the claims of other swaps of the account', async () => {
    const coin = await coinOf(6);
    const account = world.chain.account('sender');
    const [ether, from] = [world.wallet('sender', { account }), world.wallet('sender', { account, coin })];
    const { terms } = world.terms('2.5', coin);
    const asked = () => from.prepare({ purpose: 'payment', terms, ...FIRST }, SWAP);
    const balance = await world.chain.balance(sender);
    ether.hold({ swap: 'another', amount: fromBaseUnits(balance, 18) });
    expect(await kindOf(asked())).toBe('coinsPromised');
    ether.hold({ swap: 'another', amount: '0' as DecimalText });
    // What is held for this very swap is there for it, and less is held once it is taken.
    ether.hold({ swap: SWAP.swap, amount: fromBaseUnits(balance, 18) });
    const payment = await goodOf(asked());
    expect(balance - account.holds.wei({ price: 0n })).toBe(toBaseUnits(payment.fee, 18));
  });

  it('are paid without losing a nonce if a signer stops between the approval and the payment', async () => {
    const coin = await coinOf(6);
    const good = signerOf('sender');
    let left = 1;
    const sign: typeof good.sign = (hash) => {
      left -= 1;
      if (left < 0) throw new Error('the device was pulled out');
      return good.sign(hash);
    };
    const { reader, prices } = world.chain.account('sender');
    const account = new EvmAccount({ reader, prices, chainId: CHAIN_ID, signer: { key: good.key, sign } });
    const from = world.wallet('sender', { account, coin });
    const { terms } = world.terms('2.5', coin);
    const next = await world.fee(world.wallet('sender'));
    await expect(from.prepare({ purpose: 'payment', terms, ...FIRST }, SWAP)).rejects.toThrow('pulled out');
    left = 2;
    const payment = await world.payment(from, terms);
    const nonceOf = ({ spends }: { readonly spends: readonly string[] }) => Number(spends[0]?.split(':')[1]);
    expect(nonceOf(payment)).toBe(nonceOf(next) + 1);
    expect(await goodOf(from.broadcast(payment))).toBe('sent');
    await world.chain.mine();
    expect((await goodOf(from.payment({ terms }))).funding?.confirmations).toBe(1);
  });

  it('that wait at too low a price are raised with their approval, if a claim of the account is behind them', async () => {
    const coin = await coinOf(6);
    const account = world.chain.account('sender');
    const [ether, from] = [world.wallet('sender', { account }), world.wallet('sender', { account, coin })];
    const payer = world.wallet('stranger');
    const { terms: given, secret } = world.terms('0.5');
    const owed = { ...given, sender: payer.htlcKey(''), receiver: ether.htlcKey('') };
    const funding = await world.paid(payer, owed);
    const { terms } = world.terms('2.5', coin);
    await goodOf(from.broadcast(await world.payment(from, terms)));
    await world.chain.request('anvil_setNextBlockBaseFeePerGas', ['0x9502f9000']);
    await world.chain.mine();
    const claim = await world.make(ether, { purpose: 'claim', terms: owed, funding, secret, ...FIRST });
    await goodOf(ether.broadcast(claim));
    await world.chain.mine();
    expect((await goodOf(payer.payment({ terms: owed }))).spend?.secret).toBe(secret);
    expect((await goodOf(from.payment({ terms }))).funding?.confirmations).toBe(1);
    expect(await world.chain.allowance(addressIn(coin), sender)).toBe(0n);
  });

  it('are not paid by a wallet that has none, or no ether for the gas', async () => {
    const coin = await coinOf(6);
    const { terms } = world.terms('1000.000001', coin);
    const from = world.wallet('sender', { coin });
    const asked = () => kindOf(from.prepare({ purpose: 'payment', terms, ...FIRST }, SWAP));
    expect(await asked()).toBe('insufficientFunds');
    const { terms: less } = world.terms('1000', coin);
    const before = await world.chain.balance(sender);
    await world.chain.give(sender, 10n);
    expect(await kindOf(from.prepare({ purpose: 'payment', terms: less, ...FIRST }, SWAP))).toBe('insufficientFunds');
    await world.chain.give(sender, before);
    expect(await kindOf(from.prepare({ purpose: 'payment', terms: less, ...FIRST }, SWAP))).toBe('ok');
  });
});
