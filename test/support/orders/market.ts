import type { MakerTerms, TakerOrder } from '../../../src/node/orders/model.ts';
import { createOrderNetwork } from '../../../src/peers/in-process/orders.ts';
import type { OrderEnvelope, OrderMessage } from '../../../src/ports/orders.ts';
import { fractionOf } from '../../../src/primitives/fraction.ts';
import { deskClock, START, settle } from './desk.ts';

export const CONFS = { base_confs: 4, base_nota: false, rel_confs: 1, rel_nota: false };
export const ORDER = '11111111-1111-4111-8111-111111111111';
export const SWAP = '22222222-2222-4222-8222-222222222222';

/** 1.5 MARTY for each DOC, up to 10 DOC, at least 0.5. */
export const TERMS: MakerTerms = {
  base: 'DOC',
  rel: 'MARTY',
  price: fractionOf(3n, 2n),
  max_base_vol: fractionOf(10n),
  min_base_vol: fractionOf(1n, 2n),
  conf_settings: CONFS,
  offer: null,
};

/** A buyer of 3 DOC that would pay up to 2 MARTY for each. */
export function buyer(change: Partial<TakerOrder['request']> = {}, order: Partial<TakerOrder> = {}): TakerOrder {
  const request: TakerOrder['request'] = {
    kind: 'takerRequest',
    uuid: SWAP,
    base: 'DOC',
    rel: 'MARTY',
    base_amount: fractionOf(3n),
    rel_amount: fractionOf(6n),
    action: 'Buy',
    match_by: { type: 'Any' },
    conf_settings: { base_confs: 7, base_nota: true, rel_confs: 6, rel_nota: true },
    base_protocol_info: null,
    rel_protocol_info: null,
    ...change,
  };
  const rest = { timeout: 30, order_type: 'FillOrKill', min_volume: fractionOf(1n, 2n), maker: null } as const;
  return { request, created_at: START, match: null, givenUp: [], copied: false, ...rest, ...order };
}

/** Somebody who hears everything and says nothing. */
const EAR = 'ea'.repeat(32);

export function world() {
  const clock = deskClock();
  const lost = new Set<OrderMessage['kind']>();
  /** All that was said, each thing once, whether or not anybody of the market listened. */
  const seen: OrderEnvelope[] = [];
  const network = createOrderNetwork({
    policy: ({ envelope, to, deliver }) => {
      if (to === EAR) seen.push(envelope);
      else if (!lost.has(envelope.message.kind)) deliver();
    },
  });
  network.node(EAR).subscribe('orbk/DOC:MARTY', () => {});
  return { clock, network, lost, seen, pass: async (seconds: number) => pass(clock, seconds) };
}

async function pass(clock: ReturnType<typeof deskClock>, seconds: number): Promise<void> {
  const until = clock.now() + seconds * 1000;
  await settle();
  for (let next = clock.next(); next !== null && next <= until; next = clock.next()) {
    clock.advanceTo(next);
    await settle();
  }
  clock.advanceTo(until as ReturnType<typeof clock.now>);
  await settle();
}
