import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import { Births } from '../../../../src/node/births.ts';
import { EvmHomes } from '../../../../src/node/evm/homes.ts';
import { openEvm } from '../../../../src/node/evm/open.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { systemClock } from '../../../../src/runtime/host/clock-system.ts';
import { systemRandom } from '../../../../src/runtime/host/random-system.ts';
import { OWN, WALLET } from '../../../support/evm/activating.ts';
import { addressOf, CHAIN_ID, EvmTestChain } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { describeWith } from '../../../support/optional-part.ts';

describeWith(ANVIL, 'coins for the wallet alone, without a swap contract', () => {
  let chain: EvmTestChain;

  beforeAll(async () => {
    chain = await EvmTestChain.start();
  }, 60_000);
  afterAll(() => chain?.stop());

  const opening = (token: string, decimals: number | null) => {
    const clock = systemClock();
    const homes = new EvmHomes(clock);
    const births = new Births({ log: createMemoryLog(), now: () => millisOf(clock.now()), guardFor: 3600 });
    const logger = { info() {}, warn() {}, error() {} };
    const entry = decimals === null ? {} : { decimals };
    const made = openEvm(
      { ...{ homes, clock, births, logger, random: systemRandom }, ...{ finality: 3, poll: 10 } },
      {
        ...{ platform: { ticker: 'ETH', entry: {} }, chainId: CHAIN_ID, urls: [chain.url] },
        ...{
          signer: WALLET,
          keyPlace: 'here',
          byPath: false,
          contract: null,
          fallbackContract: null,
          usualConfirmations: 4,
        },
        coins: [{ ticker: 'TOK', entry, token, requiredConfirmations: null }],
      },
    );
    return { homes, made };
  };

  it('are checked against the chain too: an amount is sent in the digits of the token', async () => {
    const token = await chain.token({ decimals: 6 });
    await chain.mint(token, OWN, 5_000_000n);
    const wrong = opening(token, 8);
    await expect(wrong.made).rejects.toMatchObject({
      kind: 'coin',
      message: expect.stringContaining('token decimals: 6, coin decimals: 8'),
    });
    expect(wrong.homes.size).toBe(0);
    await expect(opening(addressOf('nobody'), 6).made).rejects.toMatchObject({
      message: expect.stringContaining('There is no token at this address'),
    });
    for (const decimals of [6, null]) {
      const [coin] = (await opening(token, decimals).made).coins;
      expect(await coin?.balances()).toMatchObject({ ok: true, value: { spendable: '5' } });
      coin?.close();
    }
  });
});
