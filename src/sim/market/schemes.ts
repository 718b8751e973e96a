import type { JournalPayloads } from '../../events/journal.ts';
import type { SignedTransaction } from '../../ports/chain.ts';
import type { SimChain } from '../chains/types.ts';
import type { Process } from './process.ts';
import { raker } from './raker.ts';
import type { MarketConduct, MarketParty } from './scenario.ts';

/** What a rogue party does besides its engines, after each block. */
export type Scheme = (coin: string, chain: SimChain) => void;

/** The scheme of a conduct; null if its engines do everything. */
export function schemeOf(party: MarketParty, processes: readonly Process[]): Scheme | null {
  const { conduct } = party;
  switch (conduct.kind) {
    case 'grabber':
      return (coin) => grab(processes, coin);
    case 'rewriter':
      return rewriter(conduct, processes);
    case 'deserter':
      return () => desert(conduct, processes);
    case 'raker':
      return raker(party.name);
    default:
      return null;
  }
}

type Signed = JournalPayloads['TransactionPrepared'];

/** What the engines of a party have signed for a purpose. */
function signedFor({ log }: Process, purpose: Signed['purpose']): readonly SignedTransaction[] {
  const signed: SignedTransaction[] = [];
  for (const { stream } of log.find({})) {
    for (const { type, data } of log.read(stream)) {
      if (type !== 'TransactionPrepared') continue;
      const prepared = data as Signed;
      if (prepared.purpose === purpose) signed.push(prepared.tx);
    }
  }
  return signed;
}

/** Every refund ever signed goes to the network; the chain decides which it accepts. */
function grab(processes: readonly Process[], coin: string): void {
  for (const process of processes) {
    const wallet = process.wallets.get(coin);
    for (const refund of signedFor(process, 'refund')) wallet?.broadcast(refund);
  }
}

/** Once for each payment: a branch in which its coins went back replaces the blocks that hold it. */
function rewriter({ depth }: Extract<MarketConduct, { kind: 'rewriter' }>, processes: readonly Process[]): Scheme {
  const done = new Set<string>();
  return (coin, chain) => {
    for (const process of processes) {
      const wallet = process.wallets.get(coin);
      for (const payment of signedFor(process, 'payment')) {
        if (done.has(payment.tx_hash) || wallet === undefined) continue;
        const view = wallet.transaction(payment.tx_hash);
        if (!view.ok || view.value.status !== 'confirmed' || view.value.confirmations < depth) continue;
        done.add(payment.tx_hash);
        const made = wallet.prepare({ purpose: 'void', target: payment, urgency: 6 });
        if (made.ok) replace(chain, { depth: view.value.confirmations, payment, instead: made.value });
      }
    }
  };
}

type Replacing = {
  readonly depth: number;
  readonly payment: SignedTransaction;
  readonly instead: SignedTransaction;
};

function replace(chain: SimChain, { depth, payment, instead }: Replacing): void {
  const rest = Array.from({ length: depth }, () => ({}));
  try {
    chain.reorg({ depth, drop: [payment.tx_hash], blocks: [{ extra: [instead.tx_hex], include: 'none' }, ...rest] });
  } catch {
    // The branch is invalid, for example because what the payment spends came in the same blocks: then there is none.
  }
}

function desert({ after }: Extract<MarketConduct, { kind: 'deserter' }>, processes: readonly Process[]): void {
  for (const process of processes) {
    const gone = process.log.find({}).some(({ stream }) => process.log.read(stream).some(({ type }) => type === after));
    if (gone) process.life.over = true;
  }
}
