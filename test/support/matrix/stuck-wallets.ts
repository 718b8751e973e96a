import type { Leg } from './chain.ts';
import type { PlacedChains } from './party.ts';
import type { ProcessParty } from './process-party.ts';
import { LEGS, type Side } from './sides.ts';
import type { MatrixWorld } from './world.ts';

/** Somebody who has nothing to do with any swap. */
const STRANGER = '5a'.repeat(20);
/** Blocks within which a wallet must have sent what it is told to: the first may hold what fills its nonces. */
const BLOCKS = 4;
/** Seconds in which what is still asked of a slow node is answered. */
const QUIET = 60;

type Played = { readonly chains: PlacedChains; readonly parties: ReadonlyMap<Side, ProcessParty> };

/**
 * Which wallets of chains with accounts cannot send any more when all is over: each that is there is told to send something, beside all swaps and over
 * its own node, and must have it in a block soon, with nothing that waits behind it.
 */
export async function stuckWallets({ clock }: MatrixWorld, { chains, parties }: Played): Promise<readonly string[]> {
  const alive = [...parties.values()].filter((party) => !party.isDead());
  const legs = LEGS.filter((leg) => chains[leg].chain.evm !== undefined);
  if (legs.length === 0) return [];
  for (const leg of legs)
    for (const { lines } of alive) {
      lines[leg].slow(0);
      lines[leg].past(null);
    }
  for (let passed = 0; passed < QUIET; passed += 1) await clock.advance(1000);
  const found: string[] = [];
  for (const leg of legs) for (const party of alive) found.push(...(await stuck(party, { leg, chains, clock })));
  return found;
}

type Sent = { readonly leg: Leg; readonly chains: PlacedChains; readonly clock: MatrixWorld['clock'] };

async function stuck(party: ProcessParty, { leg, chains, clock }: Sent): Promise<readonly string[]> {
  const { chain } = chains[leg];
  const wallet = `the ${party.side}'s wallet of the ${leg} coin`;
  const script = chain.scriptOf(party.key);
  // Who has none of these tokens can send none.
  if ((await chain.counted(script)) === 0n) return [];
  const height = await chain.height();
  try {
    await party.spend(leg, STRANGER);
  } catch (error) {
    return [`${wallet} sends nothing any more: ${String(error)}`];
  }
  for (let block = 0; block < BLOCKS; block += 1) {
    await clock.advance(chain.blockTime * 1000);
    await chain.mine(Math.floor(clock.now() / 1000));
  }
  const own = (await chain.blocksAbove(height))
    .flatMap(({ transactions }) => transactions)
    .filter(({ call }) => call?.from === script && (call.to === STRANGER || call.data.includes(STRANGER)));
  const waiting = (await chain.waiting()).filter(({ call }) => call?.from === script);
  return [
    ...(own.length === 1 ? [] : [`${wallet} is stuck: of what it sent at the end ${own.length} are in blocks`]),
    ...(waiting.length === 0 ? [] : [`${wallet} is stuck: ${waiting.length} of its transactions wait`]),
  ];
}
