import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { addressText } from '../../../../src/chains/evm/address.ts';
import type { ActiveCoin, WithdrawalOrder } from '../../../../src/ports/coin-wallet.ts';
import type { ActivatedEvm } from '../../../../src/ports/evm-activator.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { activating, madeOf, OWN } from '../../../support/evm/activating.ts';
import { addressOf, CHAIN_ID, EvmTestChain } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { ETHER } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

const TO = addressOf('a receiver');
const SWAP = { swap: '3d4c1d7c-3f5e-4a51-9d0b-6f6f1a2b3c4e' };
const EIP1559 = { type: 'EthGasEip1559', max_fee_per_gas: '30', max_priority_fee_per_gas: '2' };

describeWith(ANVIL, 'a wallet of an account, judged by what its node reports', () => {
  let chain: EvmTestChain;
  let token: string;
  let made: ActivatedEvm;
  let ether: ActiveCoin;
  let tokens: ActiveCoin;

  beforeAll(async () => {
    chain = await EvmTestChain.start();
    token = await chain.token({ decimals: 6 });
  }, 60_000);
  beforeEach(async () => {
    await chain.give(OWN, 3n * ETHER);
    await chain.give(TO, 0n);
    await chain.mint(token, OWN, 5_000_000n);
    const bench = activating(chain, { tokens: { SIX: { contract: token } }, own: { max_eth_tx_type: 2 } });
    made = madeOf((await bench.activate({ erc20_tokens_requests: [{ ticker: 'SIX' }] })).result);
    [ether, tokens] = made.coins as readonly [ActiveCoin, ActiveCoin];
    for (const coin of made.coins) coin.chain.resumed?.();
  });
  afterEach(() => made.close());
  afterAll(() => chain?.stop());

  const order = (members: Partial<WithdrawalOrder>): WithdrawalOrder => ({
    ...{ to: addressText(TO), amount: '0.25' as DecimalText, fee: null },
    ...members,
  });
  const signed = async (coin: ActiveCoin, members: Partial<WithdrawalOrder> = {}) => {
    const answer = await coin.wallet.withdraw(order(members));
    if (!answer.ok) throw new Error(answer.refusal.text);
    return answer.value;
  };
  const refusal = async (coin: ActiveCoin, members: Partial<WithdrawalOrder>) => {
    const answer = await coin.wallet.withdraw(order(members));
    return answer.ok ? null : answer.refusal;
  };
  const feeFor = (swap: string) =>
    ether.chain.prepare({ purpose: 'fee', feeSat: 7n, burnSat: 0n, urgency: 0, replaces: null }, { swap });

  it('signs what a node accepts, and sends nothing before it is asked to', async () => {
    const { tx_hex, tx_hash, spent, fee_details } = await signed(ether, { fee: { ...EIP1559 } });
    expect(fee_details).toEqual({
      ...{ type: 'Eth', coin: 'ETH', gas: 21_000, gas_price: '0.00000003' },
      ...{ max_fee_per_gas: '0.00000003', max_priority_fee_per_gas: '0.000000002', total_fee: '0.00063' },
    });
    expect(spent).toBe('0.25063');
    await chain.mine();
    expect(await chain.balance(TO)).toBe(0n);
    expect(await ether.wallet.send(tx_hex)).toEqual({ ok: true, value: tx_hash });
    await chain.mine();
    expect(await chain.balance(TO)).toBe(ETHER / 4n);
    const receipt = (await chain.request('eth_getTransactionReceipt', [`0x${tx_hash}`])) as { type: string };
    expect(receipt.type).toBe('0x2');
  });

  it('sends a legacy transaction if the node has one price for all', async () => {
    const fee = { type: 'EthGas', gas_price: '25', gas: 50_000 };
    const { tx_hex, tx_hash, fee_details } = await signed(ether, { fee });
    expect(fee_details).toMatchObject({ gas: 50_000, total_fee: '0.00125', max_fee_per_gas: null });
    await ether.wallet.send(`0x${tx_hex}`);
    await chain.mine();
    const receipt = (await chain.request('eth_getTransactionReceipt', [`0x${tx_hash}`])) as { type: string };
    expect(receipt.type).toBe('0x0');
  });

  it('sends everything that neither gas nor swaps need', async () => {
    ether.chain.hold?.({ ...SWAP, amount: '0.75' as DecimalText });
    const { tx_hex, spent } = await signed(ether, { amount: null, fee: { ...EIP1559 } });
    expect(spent).toBe('2.25');
    await ether.wallet.send(tx_hex);
    await chain.mine();
    expect(await chain.balance(TO)).toBe((ETHER * 9n) / 4n - 630_000_000_000_000n);
    expect(await chain.balance(OWN)).toBeGreaterThanOrEqual((ETHER * 3n) / 4n);
    expect(await refusal(ether, { amount: '0.01' as DecimalText })).toMatchObject({
      type: 'NotSufficientBalance',
      data: { coin: 'ETH', available: expect.any(String), required: expect.any(String) },
    });
  });

  it('sends tokens, whose gas the other coin pays', async () => {
    const { tx_hex, spent, fee_details } = await signed(tokens, { amount: '1.000001' as DecimalText });
    expect([spent, fee_details['coin'], fee_details['gas']]).toEqual(['1.000001', 'ETH', 210_000]);
    await tokens.wallet.send(tx_hex);
    await chain.mine();
    expect(await chain.tokensOf(token, TO)).toBe(1_000_001n);
    await chain.give(OWN, 1000n);
    expect(await refusal(tokens, { amount: '1' as DecimalText })).toMatchObject({
      type: 'NotSufficientPlatformBalanceForFee',
      data: { coin: 'ETH' },
    });
    expect(await refusal(tokens, { amount: '0.0000001' as DecimalText })).toMatchObject({ type: 'InvalidRequest' });
  });

  it('delays no swap with a withdrawal that is never sent, and refuses it if a swap has its nonce', async () => {
    const { tx_hex } = await signed(ether);
    const fee = await feeFor(SWAP.swap);
    if (!fee.ok) throw new Error(fee.fault.message);
    expect(await ether.chain.broadcast(fee.value)).toMatchObject({ ok: true });
    const late = await ether.wallet.send(tx_hex);
    expect(late).toMatchObject({
      ok: false,
      refusal: {
        text: expect.stringContaining('another pending transaction of this account has nonce'),
      },
    });
    await chain.mine();
    expect((await ether.chain.transaction(fee.value.tx_hash)) as object).toMatchObject({
      value: { status: 'confirmed' },
    });
    expect(await chain.balance(TO)).toBe(0n);
  });

  it('refuses to send what swaps hold meanwhile', async () => {
    const { tx_hex } = await signed(ether, { amount: '2.5' as DecimalText });
    ether.chain.hold?.({ ...SWAP, amount: '1' as DecimalText });
    expect(await ether.wallet.send(tx_hex)).toMatchObject({
      ok: false,
      refusal: { text: expect.stringContaining('of which 1 ETH are held for swaps') },
    });
  });

  it('sends nothing while swaps wait for another coin of the chain whose reservations are unknown', async () => {
    let away: readonly string[] = ['TOK'];
    const asked: number[] = [];
    const awaitedOn = async (chainId: number) => {
      asked.push(chainId);
      return away;
    };
    const bench = activating(chain, { parts: { awaitedOn } });
    const other = madeOf((await bench.activate({})).result);
    const [coin] = other.coins as readonly [ActiveCoin];
    const { tx_hex, tx_hash } = await signed(coin);
    expect(await coin.wallet.send(tx_hex)).toMatchObject({
      ok: false,
      refusal: { type: 'Transport', text: expect.stringContaining('swaps wait for TOK') },
    });
    expect(await chain.request('eth_getTransactionByHash', [`0x${tx_hash}`])).toBeNull();
    away = [];
    expect(await coin.wallet.send(tx_hex)).toEqual({ ok: true, value: tx_hash });
    expect(asked).toEqual([CHAIN_ID, CHAIN_ID]);
    await chain.mine();
    other.close();
  });

  it('gives no nonce of what was sent to a swap', async () => {
    const { tx_hex, tx_hash } = await signed(ether);
    await ether.wallet.send(tx_hex);
    const fee = await feeFor(SWAP.swap);
    if (!fee.ok) throw new Error(fee.fault.message);
    await ether.chain.broadcast(fee.value);
    await chain.mine();
    for (const id of [tx_hash, fee.value.tx_hash])
      expect(await ether.chain.transaction(id)).toMatchObject({ value: { status: 'confirmed' } });
  });

  it.each([
    [{ to: `0x${TO}` }, 'InvalidAddress', 'Invalid address checksum'],
    [{ to: addressText(TO).slice(2) }, 'InvalidAddress', 'prefixed with 0x'],
    [{ to: '0x12' }, 'InvalidAddress', '40 hex digits'],
    [{ fee: { type: 'UtxoFixed', amount: '1' } }, 'InvalidFeePolicy', "Expected 'EthGas' or 'EthGasEip1559'"],
    [{ fee: { type: 'EthGas', gas: 1 } }, 'InvalidRequest', 'missing field `gas_price`'],
    [{ fee: { type: 'EthGas', gas_price: '0.0000000001', gas: 50_000 } }, 'InvalidRequest', 'digits'],
    [{ fee: { type: 'EthGas', gas_price: '0', gas: 50_000 } }, 'InvalidFee', 'the base fee is'],
    [{ fee: { type: 'EthGas', gas_price: '30', gas: 20_999 } }, 'InvalidFee', 'too little'],
    [{ fee: { ...EIP1559, max_priority_fee_per_gas: '31' } }, 'InvalidFee', 'is above max_fee_per_gas'],
    [{ fee: { ...EIP1559, gas_option: { type: 'Guess' } } }, 'InvalidRequest', 'gas_option'],
  ])('refuses %j', async (members, type, text) => {
    expect(await refusal(ether, members as Partial<WithdrawalOrder>)).toMatchObject({
      type,
      text: expect.stringContaining(text),
    });
  });

  it('fills nonces again once a coin is closed that no swap ever used', async () => {
    const bench = activating(chain, { tokens: { SIX: { contract: token } } });
    const again = madeOf((await bench.activate({ erc20_tokens_requests: [{ ticker: 'SIX' }] })).result);
    const [used, unused] = again.coins as readonly [ActiveCoin, ActiveCoin];
    used.chain.resumed?.();
    unused.close();
    const fees = [1n, 2n].map((feeSat) =>
      used.chain.prepare({ purpose: 'fee', feeSat, burnSat: 0n, urgency: 0, replaces: null }, SWAP),
    );
    const [first, second] = await Promise.all(fees);
    if (first?.ok !== true || second?.ok !== true) throw new Error('no fee is prepared');
    used.chain.release?.([first.value]);
    expect(await used.chain.broadcast(second.value)).toMatchObject({ ok: true });
    await chain.mine();
    expect(await used.chain.transaction(second.value.tx_hash)).toMatchObject({ value: { status: 'confirmed' } });
    again.close();
  });

  it('sends nothing that is not a transaction', async () => {
    expect(await ether.wallet.send('00ff')).toMatchObject({ ok: false });
  });
});
