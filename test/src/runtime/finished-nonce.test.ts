import { describe, expect, it } from 'vitest';
import type { NewRecord } from '../../../src/ports/event-log.ts';
import type { SimWallet } from '../../../src/sim/chains/types.ts';
import { createPair, type Pair, requestOf, UUID } from '../../support/swap-pair.ts';

// A taker's swap is over and is watched for another half an hour. Its log holds a variant of its fee that no node ever took, with
// a nonce of the account from which the next swap pays.

const SECOND = '7b3c1a52-90de-4f7b-8a6e-2f4d5c6b7a81';
const STREAM = `taker-swap/${UUID}`;

async function start(pair: Pair, uuid: string): Promise<void> {
  for (const side of ['maker', 'taker'] as const) await pair.nodes[side].runtime.startSwap(requestOf(side, { uuid }));
}

/** The first swap is over; what its wallet signs then is in its log, and no node takes it. */
async function finished(): Promise<Pair> {
  const pair = createPair({ accounts: ['MARTY'], settings: { finality: 30 } });
  await start(pair, UUID);
  expect(await pair.until(() => pair.types('taker').includes('Finished'), 120)).toBe(true);
  return pair;
}

/** A dearer fee, signed at the next nonce, as its log would hold it: refused, and never taken. */
function dearerFee({ nodes, clock }: Pair): readonly NewRecord[] {
  const wallet = nodes.taker.wallets.MARTY as SimWallet;
  const made = wallet.prepare({ purpose: 'fee', feeSat: 5n, burnSat: 0n, urgency: 2, replaces: null });
  if (!made.ok) throw new Error(made.fault.message);
  const { tx_hex, tx_hash, spends, fee } = made.value;
  const event = (type: string, data: object): NewRecord => ({ at: clock.now(), type, version: 1, data });
  return [
    event('TransactionPrepared', { purpose: 'fee', tx: { tx_hex, tx_hash, spends, fee }, target: null, urgency: 2 }),
    event('BroadcastAttempted', { purpose: 'fee', tx_hash }),
    event('BroadcastRefused', { purpose: 'fee', tx_hash, kind: 'noReplacement', message: 'no' }),
  ];
}

describe('what no node accepted of a finished swap', () => {
  it('keeps no nonce from the next swap after a restart, though the first one is still watched', async () => {
    const pair = await finished();
    const { log } = pair.nodes.taker;
    pair.nodes.taker.die();
    const records = dearerFee(pair);
    const expected = (log.read(STREAM) as readonly NewRecord[]).length;
    await log.append({ stream: STREAM, expected, records, labels: {} as never });
    pair.restart('taker');
    await pair.nodes.taker.runtime.resumeAll();
    await start(pair, SECOND);
    const paid = () => pair.types('maker', SECOND).includes('TakerPaymentValidatedAndConfirmed');
    expect(await pair.until(paid, 12)).toBe(true);
    expect(pair.nodes.taker.runtime.sizes().runners).toBe(2);
  });

  it('goes back to the wallet with the end, not with the end of the watch over it', async () => {
    const released: string[] = [];
    const pair = createPair({
      options: (side, { chains }) =>
        side === 'maker'
          ? {}
          : {
              chains: chains.map((chain) => ({
                ...chain,
                release: (given) => {
                  released.push(...given.map(({ tx_hash }) => tx_hash));
                  chain.release(given);
                },
              })),
            },
    });
    await start(pair, UUID);
    expect(await pair.until(() => pair.types('taker').includes('TakerPaymentSent'), 60)).toBe(true);
    // The refund is signed beside the payment, and not needed.
    const kit = (pair.nodes.taker.log.read(STREAM) as readonly NewRecord[])
      .filter(({ type }) => type === 'TransactionPrepared')
      .map(({ data }) => data as { readonly purpose: string; readonly tx: { readonly tx_hash: string } })
      .find(({ purpose }) => purpose === 'refund');
    expect(released).not.toContain(kit?.tx.tx_hash);
    expect(await pair.until(() => pair.types('taker').includes('Finished'), 120)).toBe(true);
    expect(pair.nodes.taker.runtime.sizes().runners).toBe(1);
    expect(released).toEqual([kit?.tx.tx_hash]);
  });
});
