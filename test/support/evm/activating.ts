import { addressText } from '../../../src/chains/evm/address.ts';
import { createNftProvider } from '../../../src/chains/evm/nft/provider.ts';
import { accountOf } from '../../../src/chains/evm/transaction.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { Births } from '../../../src/node/births.ts';
import { coinsOf } from '../../../src/node/coins-file.ts';
import type { Compatibility } from '../../../src/node/compatibility.ts';
import { createEvmActivator, type EvmActivatorOptions } from '../../../src/node/evm/activator.ts';
import { EvmHomes } from '../../../src/node/evm/homes.ts';
import { walletOfPassphrase } from '../../../src/node/keys.ts';
import { ethOrder } from '../../../src/node/tasks/eth-order.ts';
import { initParams } from '../../../src/node/tasks/eth-params.ts';
import type { EvmActivationResult, EvmActivationStep, EvmTokenOrder } from '../../../src/ports/evm-activator.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import { systemClock } from '../../../src/runtime/host/clock-system.ts';
import { systemRandom } from '../../../src/runtime/host/random-system.ts';
import { CHAIN_ID, type EvmTestChain } from './adapter-chain.ts';

export const WALLET = walletOfPassphrase(new Secret('the passphrase of an account'));
export const OWN = accountOf(WALLET.coins.key);

/** An activator over a chain of tests, and a coins file for it; requests are read as those of clients are. */
export function activating(
  chain: EvmTestChain,
  { compatibility = 'specification', tokens = {}, own = {}, kept = {}, passive = false, parts = {} }: Settings = {},
) {
  const warnings: unknown[] = [];
  const warn = (message: string, fields?: object) => void warnings.push([message, fields]);
  const clock = systemClock();
  const births = new Births({ log: createMemoryLog(), now: () => clock.now() as Millis, guardFor: 3600 });
  const homes = new EvmHomes(clock);
  const activator = createEvmActivator({
    ...{ homes, clock, births, random: systemRandom, logger: { info() {}, warn, error() {} } },
    ...{ finality: 3, poll: 10, signer: WALLET, compatibility, usualConfirmations: 4 },
    ...{ log: createMemoryLog(), paths: null, device: null, remote: null, nfts: createNftProvider(), ...parts },
  });
  const coins = coinsOf(
    [
      { coin: 'ETH', ...own, protocol: { type: 'ETH', protocol_data: { chain_id: CHAIN_ID } } },
      { coin: 'FAR', protocol: { type: 'ETH', protocol_data: { chain_id: 5 } } },
      ...Object.entries(tokens).map(([coin, { contract, ...entry }]) => ({
        ...{ coin, ...entry },
        protocol: {
          type: 'ERC20',
          protocol_data: { platform: 'ETH', contract_address: addressText(String(contract)) },
        },
      })),
    ],
    'the coins of a test',
  );
  return {
    homes,
    warnings,
    async activate(members: JsonObject = {}, ending = new AbortController()) {
      const { signal } = ending;
      const steps: EvmActivationStep[] = [];
      const params = {
        ticker: 'ETH',
        swap_contract_address: `0x${chain.contract}`,
        erc20_tokens_requests: [],
        nodes: [{ url: chain.url }],
        ...members,
      };
      const read = ethOrder(initParams[compatibility].parse(params).request, coins, { passive });
      const order = { ...read, tokens: read.tokens.map((token) => ({ ...token, ...keptOf(kept[token.ticker]) })) };
      const talk = {
        signal,
        tell: async (step: EvmActivationStep) => void steps.push(step),
        ask: async () => {
          throw new Error('nobody is asked');
        },
      };
      return { steps, result: await activator.activate(order, talk) };
    },
  };
}

function keptOf(kept: NonNullable<EvmTokenOrder['kept']> | undefined): Pick<EvmTokenOrder, 'kept'> {
  return kept === undefined ? {} : { kept };
}

type Settings = {
  readonly compatibility?: Compatibility;
  readonly tokens?: Readonly<Record<string, JsonObject & { readonly contract: string }>>;
  readonly own?: JsonObject;
  /** Tokens that are active already. */
  readonly kept?: Readonly<Record<string, NonNullable<EvmTokenOrder['kept']>>>;
  /** Whether the tokens alone are to be in use. @defaultValue false */
  readonly passive?: boolean;
  readonly parts?: Partial<EvmActivatorOptions>;
};

/** What was activated. */
export function madeOf(result: EvmActivationResult) {
  if (result.ok) return result.value;
  throw new Error(`not activated: ${JSON.stringify(result.fault)}`);
}
