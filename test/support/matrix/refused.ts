import { EvmCoinError } from '../../../src/chains/evm/error.ts';
import type { Peers } from '../../../src/ports/peers.ts';
import type { PartyOptions, PlacedChains } from './party.ts';
import { openParty, passphraseOf } from './party.ts';
import type { Scenario } from './scenario.ts';
import { walletOf } from './seat.ts';
import type { MatrixWorld } from './world.ts';

type Refusing = {
  readonly chains: PlacedChains;
  readonly name: string;
  readonly refused: NonNullable<Scenario['refused']>;
};

/** Holds against a wallet with tokens that are none to be traded: it refuses them by name, and nothing leaves it. */
export async function playRefused(world: MatrixWorld, { chains, name, refused }: Refusing): Promise<readonly string[]> {
  const { leg, by, code } = refused;
  const { chain } = chains[leg];
  const { key } = walletOf({ passphrase: passphraseOf(leg, name) }).coins;
  await chain.fund(key, { count: 1, value: 76_543_211n });
  await chain.troubles?.spoil(by);
  const height = await chain.height();
  const had = await chain.counted(chain.scriptOf(key));
  try {
    const found: string[] = [];
    const named = await refusalOf({ world, chains, side: leg, name, peers: nobody, checks: true });
    if (named !== code) found.push(`it is refused as ${named}, and not as ${code}`);
    await chain.mine(0);
    const sent = (await chain.blocksAbove(height)).flatMap(({ transactions }) => transactions);
    if (sent.length > 0) found.push(`${sent.length} transactions are sent`);
    if ((await chain.counted(chain.scriptOf(key))) !== had) found.push('the wallet has another balance');
    return found;
  } finally {
    await chain.troubles?.spoil(null);
  }
}

const nobody = (key: Uint8Array): Peers => ({
  self: Buffer.from(key.subarray(1)).toString('hex'),
  subscribe: () => ({ close() {} }),
  async send() {},
});

async function refusalOf(options: PartyOptions): Promise<string> {
  try {
    const party = await openParty(options);
    await party.close();
    return 'nothing';
  } catch (error) {
    if (error instanceof EvmCoinError) return error.code;
    throw error;
  }
}

export function isRefused(scenario: Scenario): scenario is Scenario & Required<Pick<Scenario, 'refused'>> {
  return scenario.refused !== undefined;
}
