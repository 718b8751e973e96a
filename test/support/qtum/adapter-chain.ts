import type { DaemonClient } from '../../../src/chains/utxo/daemon/client.ts';
import { createDaemonReader } from '../../../src/chains/utxo/daemon/reader.ts';
import type { ElectrumBackend } from '../../../src/chains/utxo/electrum/panel.ts';
import { createElectrumReader } from '../../../src/chains/utxo/electrum/reader.ts';
import { createQrc20Chain, type Qrc20Chain } from '../../../src/chains/utxo/qrc20/adapter.ts';
import { createDaemonContracts } from '../../../src/chains/utxo/qrc20/daemon-contracts.ts';
import { createElectrumContracts } from '../../../src/chains/utxo/qrc20/electrum-contracts.ts';
import type { Qrc20Token } from '../../../src/chains/utxo/qrc20/token.ts';
import type { Reservations } from '../../../src/chains/utxo/reservations.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { signerOf } from '../litecoin/chain.ts';
import { accountOf, QTUM_COIN, type QtumTestChain } from './chain.ts';

export const TOKEN_DECIMALS = 6;

/** A token of the tests' chain, of which the named wallets have so many base units. */
export async function tokenOf(
  chain: QtumTestChain,
  owners: Readonly<Record<string, bigint>>,
  manner: { readonly strict?: boolean; readonly tax?: bigint } = {},
): Promise<Qrc20Token> {
  const { evm } = chain.machine;
  const token = await chain.machine.apart(async () => {
    const address = await evm.token({ decimals: TOKEN_DECIMALS, ...manner });
    for (const [name, amount] of Object.entries(owners)) await evm.mint(address, accountOf(name), amount);
    return address;
  });
  return {
    ...{ coin: 'QTOK', decimals: TOKEN_DECIMALS, token, contract: chain.swapContract, fallbackContract: null },
    platform: { ...QTUM_COIN, address: 'p2pkh' },
  };
}

export type TokenWalletOptions = {
  readonly coin: Qrc20Token;
  readonly clock: Clock;
  /** Electrum servers. @defaultValue the daemon itself */
  readonly servers?: ElectrumBackend;
  readonly client?: DaemonClient;
  readonly depth?: number;
  readonly birth?: number;
  readonly reservations?: Reservations;
  readonly poll?: number;
};

const POLL = 5;

export function tokenWallet(chain: QtumTestChain, name: string, options: TokenWalletOptions): Qrc20Chain {
  const { coin, clock, servers, client = chain.client, depth, birth = 0, reservations, poll = POLL } = options;
  const { decimals, medianBlocks } = coin.platform;
  const bounds = { birth, decimals, medianBlocks, ...(depth === undefined ? {} : { depth }) };
  return createQrc20Chain({
    coin,
    reader:
      servers === undefined
        ? createDaemonReader({ client, ...bounds })
        : createElectrumReader({ backend: servers, decimals, medianBlocks }),
    contracts: servers === undefined ? createDaemonContracts(client) : createElectrumContracts(servers),
    signer: signerOf(name),
    ...{ clock, birth, poll },
    ...(reservations === undefined ? {} : { reservations }),
  });
}
