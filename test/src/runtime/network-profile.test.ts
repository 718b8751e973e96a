import { describe, expect, it } from 'vitest';
import { checkDexFee } from '../../../src/htlc/dex-fee.ts';
import { FREE_NETWORK, KDF_NETWORK, type NetworkProfile } from '../../../src/htlc/network-profile.ts';
import { decodeTransaction, isTransactionProblem } from '../../../src/htlc/transaction.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { hexToBytes } from '../../../src/primitives/hex.ts';
import { createPair, type Pair, requestOf, type Side, UUID } from '../../support/swap-pair.ts';

const OWN: NetworkProfile = {
  name: 'own',
  tradingFee: {
    rate: { over: 3n, under: 1000n },
    discount: { coins: ['DOC'], rate: { over: 7n, under: 3000n } },
    minimum: '0.001' as DecimalText,
    feeKey: '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    burn: { takerCoins: ['MARTY'], share: { over: 1n, under: 7n }, key: null },
    exemptKey: null,
    thresholdBeforeBurn: null,
  },
  scriptScheme: 'p2sh',
};

async function swapOn(networks: Readonly<Record<Side, NetworkProfile | undefined>>): Promise<Pair> {
  const { taker } = networks;
  const pair = createPair({
    options: (side) => (networks[side] === undefined ? {} : { network: networks[side] }),
    fidelity: 'real',
    ...(taker === undefined ? {} : { settings: { network: taker } }),
  });
  for (const side of ['maker', 'taker'] as const) {
    await pair.nodes[side].runtime.startSwap(requestOf(side, { taker_amount: '3.00000007' as DecimalText }));
  }
  await pair.until(() => (['maker', 'taker'] as const).every((side) => pair.types(side).includes('Finished')));
  return pair;
}

const fee = ({ nodes }: Pair) => {
  const records = nodes.taker.log.read(`taker-swap/${UUID}`);
  if (records instanceof Promise) throw new TypeError('the log answers at once');
  return records.find(({ type }) => type === 'TakerFeeSent')?.data as { tx_hex: string } | undefined;
};
const outputsOf = (hex: string) => {
  const decoded = decodeTransaction(hexToBytes(hex));
  return isTransactionProblem(decoded) ? [] : decoded.outputs;
};
const TRADE = { takerCoin: 'MARTY', makerCoin: 'DOC', takerAmount: '3.00000007' as DecimalText };

describe('a swap pays the fee of the network that its nodes are given', () => {
  it("which is KDF's by default", async () => {
    const pair = await swapOn({ maker: undefined, taker: undefined });
    expect(pair.types('taker')).toContain('MakerPaymentSpent');
    const outputs = outputsOf(fee(pair)?.tx_hex ?? '');
    expect(outputs[0]?.value).toBe(386_100n);
    expect(checkDexFee(outputs, { ...TRADE, network: KDF_NETWORK }).status).toBe('verified');
  });

  it('at its own rate, to its own address, with its own burn', async () => {
    const pair = await swapOn({ maker: OWN, taker: OWN });
    expect(pair.types('taker')).toContain('MakerPaymentSpent');
    const outputs = outputsOf(fee(pair)?.tx_hex ?? '');
    expect(outputs.slice(0, 2).map(({ value }) => value)).toEqual([600_000n, 100_000n]);
    expect(checkDexFee(outputs, { ...TRADE, network: OWN }).status).toBe('verified');
    expect(checkDexFee(outputs, { ...TRADE, network: KDF_NETWORK }).status).toBe('violated');
  });

  it('with no transaction if trading is free', async () => {
    const pair = await swapOn({ maker: FREE_NETWORK, taker: FREE_NETWORK });
    expect(fee(pair)).toMatchObject({ tx_hex: '', tx_hash: '' });
    expect(pair.types('taker')).toContain('MakerPaymentSpent');
    expect(pair.types('maker')).toContain('TakerPaymentSpent');
    expect(pair.chains.MARTY.ledger?.transactions('taker').map(({ purpose }) => purpose)).not.toContain('fee');
  });

  it('and ends before anyone pays if the nodes are of different networks', async () => {
    const pair = await swapOn({ maker: OWN, taker: KDF_NETWORK });
    expect(pair.types('maker')).toContain('TakerFeeValidateFailed');
    expect(pair.types('maker')).not.toContain('MakerPaymentSent');
    expect(pair.types('taker')).not.toContain('TakerPaymentSent');
    const free = await swapOn({ maker: KDF_NETWORK, taker: FREE_NETWORK });
    expect(free.types('maker')).not.toContain('MakerPaymentSent');
    expect(free.types('taker')).not.toContain('TakerPaymentSent');
  });
});

it('a profile out of bounds is refused before anything starts', () => {
  const options = () => ({ network: { ...OWN, scriptScheme: 'none' as never } });
  expect(() => createPair({ options })).toThrow(expect.objectContaining({ code: 'NETWORK_PROFILE_INVALID' }));
});
