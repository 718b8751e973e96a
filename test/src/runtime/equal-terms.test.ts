import { describe, expect, it } from 'vitest';
import type { PaymentTerms, SignedTransaction } from '../../../src/ports/chain.ts';
import type { UnixSeconds } from '../../../src/primitives/time.ts';
import type { RuntimeChain } from '../../../src/runtime/index.ts';
import { createDealing, gained, paymentsOf, savedText, uuidOf } from '../../support/double-dealing.ts';

const SECRET = '5e'.repeat(32);
const EVER = { from: 0 as UnixSeconds, until: Number.MAX_SAFE_INTEGER as UnixSeconds };

/**
 * Two saved swaps of one taker whose own payments are under wholly equal terms, and both in blocks: the second is the first with an
 * id and a payment of its own. The dealer takes neither.
 */
async function twoLogs() {
  const asked: PaymentTerms[] = [];
  const noting = (chain: RuntimeChain): RuntimeChain => ({
    ...chain,
    prepare: (request, forSwap) => {
      if (request.purpose === 'payment') asked.push(request.terms);
      return chain.prepare(request, forSwap);
    },
  });
  const dealing = createDealing({ honest: 'taker', options: ({ chains }) => ({ chains: chains.map(noting) }) });
  const { node } = dealing;
  const dealer = dealing.dealerOf({ order: 1 });
  dealer.wallets.MARTY.setFaults([{ kind: 'broadcast', effect: 'lost', purposes: ['claim'], ...EVER }]);
  await dealer.runtime.startSwap(dealing.request('maker', { order: 1 }, SECRET));
  await node.runtime.startSwap(dealing.request('taker', { order: 1 }, null));
  await dealing.until(() => dealing.types(1).includes('TakerPaymentSent'), 60);
  const first = await savedText({ honest: 'taker' }, node.log, 1);
  node.die();
  const [terms] = asked;
  if (terms === undefined) throw new TypeError('a payment');
  const wallet = dealing.chains.MARTY.wallet({ party: 'honest' });
  const made = await wallet.prepare({ purpose: 'payment', terms, urgency: 0, replaces: null }, { swap: uuidOf(2) });
  if (!made.ok) throw new TypeError(made.fault.message);
  await wallet.broadcast(made.value);
  for (let block = 0; block < 3; block += 1) dealing.chains.MARTY.mine();
  const [paid] = paymentsOf(dealing, 'honest', 'MARTY').filter(({ hash }) => hash !== made.value.tx_hash);
  if (paid === undefined) throw new TypeError('two payments');
  return { dealing, texts: [first, asSecond(first, paid.hash, made.value)] as const };
}

/** The same log under another id, with another payment. */
function asSecond(text: string, hash: string, { tx_hex, tx_hash }: SignedTransaction): string {
  const saved = JSON.parse(text.replaceAll(uuidOf(1), uuidOf(2))) as {
    events: { event: { type: string; data: unknown } }[];
  };
  for (const { event } of saved.events) {
    if (event.type !== 'TakerPaymentSent') continue;
    expect(event.data).toMatchObject({ tx_hash: hash });
    event.data = { tx_hex, tx_hash };
  }
  return JSON.stringify(saved);
}

describe('two swaps from elsewhere with wholly equal own terms', () => {
  it.each([[[0, 1]], [[1, 0]]])('refund each its own payment, imported in the order %j', async (order) => {
    const { dealing, texts } = await twoLogs();
    const { log, runtime } = dealing.second();
    for (const index of order) await runtime.importText(texts[index] as string);
    const typesOf = (swap: number) =>
      (log.read(`taker-swap/${uuidOf(swap)}`) as readonly { type: string }[]).map(({ type }) => type);
    expect(await dealing.until(() => [1, 2].every((swap) => typesOf(swap).includes('Finished')), 900)).toBe(true);
    const refunds = [1, 2].map((swap) => {
      const records = log.read(`taker-swap/${uuidOf(swap)}`) as readonly { type: string; data: unknown }[];
      return (records.find(({ type }) => type === 'TakerPaymentRefunded')?.data as { tx_hash?: string } | null)
        ?.tx_hash;
    });
    expect(new Set(refunds).size).toBe(2);
    expect(refunds).not.toContain(undefined);
    expect(paymentsOf(dealing, 'honest', 'MARTY')).toHaveLength(2);
    const { payments } = dealing.chains.MARTY.ledger.outlay('honest');
    expect(payments.map(({ end }) => end)).toEqual(['back', 'back']);
    expect(gained(dealing, 'honest', 'DOC')).toBe(0n);
  });
});
