import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundsOf } from '../../../src/check/bounds.ts';
import { type ChainState, EMPTY_CHAIN, without } from '../../../src/check/chain-state.ts';
import { mine, reorg } from '../../../src/check/mining.ts';
import { createModel, htlcKeyOf, secretOf } from '../../../src/check/model.ts';
import { type ChainCell, createWallet } from '../../../src/check/wallet.ts';
import type {
  Answer,
  Chain,
  PaymentTerms,
  PaymentView,
  PreparedTransaction,
  TransactionView,
} from '../../../src/ports/chain.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { hash160, sha256 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../src/primitives/time.ts';
import { createSimChain } from '../../../src/sim/chains/create.ts';
import type { SimChainKind } from '../../../src/sim/chains/types.ts';
import { xorshift32 } from '../../../src/sim/xorshift.ts';

const FOR_SWAP = { swap: 'one' };

const START = 1_700_000_000;
/** What makers of ordinary coins agree on. */
const LOCK = (START + 2 * 7800) as UnixSeconds;
const SECRET = secretOf();
const CAP = 2;

/** A chain with a payer and a receiver, whichever way it is made. */
type Bench = {
  readonly payer: Chain;
  readonly receiver: Chain;
  readonly mine: () => void;
  readonly drop: (hash: string) => void;
  /** The lock passes, by the chain's own clock. */
  readonly passLock: () => void;
};

function simulated(kind: SimChainKind): Bench {
  let now = START;
  const chain = createSimChain(kind, {
    coin: 'DOC',
    finality: CAP,
    now: () => now as UnixSeconds,
    rng: xorshift32(7),
  });
  const mineOne = () => {
    now += 60;
    chain.mine();
  };
  return {
    payer: chain.wallet({ party: 'maker', funds: '100' as DecimalText, coins: 8 }),
    receiver: chain.wallet({ party: 'taker', funds: '1' as DecimalText }),
    mine: mineOne,
    drop: (hash) => void chain.drop(hash),
    passLock: () => {
      now = Math.max(now, LOCK + 1);
      // Enough for a median of eleven times, and for a lock that is counted in blocks.
      for (let block = 0; block < (kind === 'autoRefund' ? 270 : 12); block += 1) mineOne();
    },
  };
}

function abstracted(kind: SimChainKind): Bench {
  const model = createModel(boundsOf({ chains: { maker: kind, taker: kind }, finality: CAP }));
  const cell: ChainCell = { parts: model.chains.maker, state: EMPTY_CHAIN };
  let now = START;
  const reserved = { maker: new Set<string>(), taker: new Set<string>() };
  const wallet = (party: 'maker' | 'taker'): Chain => {
    const made = createWallet({
      cell,
      key: htlcKeyOf(party),
      signer: () => ({ party, reserved: reserved[party] }),
      onBroadcast: () => {},
    });
    return {
      ...made,
      prepare: (request, forSwap) => {
        const answer = made.prepare(request, forSwap) as Answer<PreparedTransaction>;
        if (answer.ok) for (const taken of answer.value.spends) reserved[party].add(taken);
        return answer;
      },
    };
  };
  const mineOne = () => {
    cell.state = mine(cell.parts, cell.state, { now });
  };
  return {
    payer: wallet('maker'),
    receiver: wallet('taker'),
    mine: mineOne,
    drop: (hash) => {
      const there = cell.state.txs.some(({ id, depth }) => id === hash && depth === 0);
      if (there) cell.state = without(cell.parts, cell.state, hash);
    },
    passLock: () => {
      now = Math.max(now, LOCK + 2);
      for (let block = 0; block < 12; block += 1) mineOne();
    },
  };
}

type Op = 'pay' | 'payAgain' | 'mine' | 'claim' | 'claimWrongly' | 'refund' | 'void' | 'drop' | 'passLock';

/** What both chains must agree on after each step. */
type Told = readonly string[];

function play(bench: Bench, ops: readonly Op[]): Told[] {
  const { payer, receiver } = bench;
  const terms: PaymentTerms = {
    lock: LOCK,
    secretHash: bytesToHex((payer.traits.secretHashBytes === 32 ? sha256 : hash160)(hexToBytes(SECRET))),
    sender: payer.htlcKey('swap'),
    receiver: receiver.htlcKey('swap'),
    amount: '2' as DecimalText,
    contract: payer.traits.contract,
  };
  let payment: PreparedTransaction | null = null;
  const kept = new Map<string, PreparedTransaction>();
  const made = (answer: unknown): PreparedTransaction | null => {
    const prepared = answer as Answer<PreparedTransaction>;
    return prepared.ok ? prepared.value : null;
  };
  const signed = (wallet: Chain, request: Parameters<Chain['prepare']>[0], name: string) => {
    const known = kept.get(name);
    const tx = known ?? made(wallet.prepare(request, FOR_SWAP));
    if (tx !== null) kept.set(name, tx);
    return tx;
  };
  const hand = (wallet: Chain, tx: PreparedTransaction | null): string => {
    if (tx === null) return 'nothing';
    const answer = wallet.broadcast(tx) as Answer<string>;
    return answer.ok ? answer.value : answer.fault.kind;
  };
  const variant = { urgency: 0, replaces: null } as const;
  const step = (op: Op): string => {
    switch (op) {
      case 'pay':
      case 'payAgain':
        payment ??= made(payer.prepare({ purpose: 'payment', terms, ...variant }, FOR_SWAP));
        return hand(payer, payment);
      case 'claim':
      case 'claimWrongly': {
        if (payment === null) return 'nothing';
        const secret = op === 'claim' ? SECRET : '00'.repeat(32);
        return hand(receiver, signed(receiver, { purpose: 'claim', secret, terms, funding: payment, ...variant }, op));
      }
      case 'refund':
        if (payment === null) return 'nothing';
        return hand(payer, signed(payer, { purpose: 'refund', terms, funding: payment, ...variant }, op));
      case 'void':
        if (payment === null) return 'nothing';
        return hand(payer, signed(payer, { purpose: 'void', target: payment, urgency: 1 }, op));
      case 'drop':
        if (payment !== null) bench.drop(payment.tx_hash);
        return 'done';
      case 'mine':
        bench.mine();
        return 'done';
      default:
        bench.passLock();
        return 'done';
    }
  };
  return ops.map((op) => {
    const answer = step(op);
    const { value } = receiver.payment({ terms }) as { readonly value: PaymentView };
    const { funding, spend, refundable, problem } = value;
    const paid = funding === null ? 'not paid' : `paid ${Math.min(CAP, funding.confirmations)}`;
    const spent = spend === null ? 'not spent' : `${spend.how} ${Math.min(CAP, spend.confirmations)} ${spend.secret}`;
    return [op, answer, paid, spent, stands(payer, payment), `refundable ${refundable}`, `problem ${problem !== null}`];
  });
}

function stands(payer: Chain, payment: PreparedTransaction | null): string {
  if (payment === null) return 'no payment';
  const { value } = payer.transaction(payment.tx_hash) as { readonly value: TransactionView };
  return `${value.status} ${Math.min(CAP, value.confirmations)}`;
}

const OPS: readonly Op[] = ['pay', 'payAgain', 'mine', 'claim', 'claimWrongly', 'refund', 'void', 'drop', 'passLock'];

describe('the abstract chain', () => {
  const anything = fc.array(fc.constantFrom(...OPS), { maxLength: 14 });
  // A lock that is counted in blocks begins with the payment: here nothing is paid after it has passed.
  const inTime = fc
    .tuple(
      fc.array(fc.constantFrom(...OPS.filter((op) => op !== 'passLock')), { maxLength: 9 }),
      fc.array(fc.constantFrom<Op>('mine', 'claim', 'claimWrongly'), { maxLength: 4 }),
    )
    .map(([before, after]): readonly Op[] => [...before, 'passLock', ...after]);

  it.each([
    ['utxo', anything],
    ['account', anything],
    ['autoRefund', inTime],
  ] as const)('answers as the simulated %s chain does', (kind, sequences) => {
    fc.assert(
      fc.property(sequences, (ops) => {
        expect(play(abstracted(kind), ops)).toEqual(play(simulated(kind), ops));
      }),
      { numRuns: 400 },
    );
  });

  const paid = () => {
    const model = createModel(boundsOf({ finality: CAP, confirmations: CAP }));
    const parts = model.chains.maker;
    const rest = { chain: 'maker', owner: 'maker', lockKey: null, funding: null, secret: null, terms: null } as const;
    const body = model.bodies.make({ ...rest, purpose: 'payment', spends: ['coin:maker:maker:0'], urgency: 0 });
    const state: ChainState = { clock: 0, short: 0, txs: [{ id: body.id, depth: 0 }] };
    return { parts, state };
  };

  it('is deeper with each block, up to the depth that anybody asks for', () => {
    const { parts, state } = paid();
    const depths = [state];
    for (let block = 0; block < 4; block += 1) depths.push(mine(parts, depths.at(-1) ?? state, { now: START }));
    expect(depths.map(({ txs }) => txs[0]?.depth)).toEqual([0, 1, 2, 2, 2]);
  });

  it('disconnects the last block, and nothing that is final', () => {
    const { parts, state } = paid();
    const once = mine(parts, state, { now: START });
    expect(reorg(parts, once, 'returned')).toEqual({ ...state, short: 1 });
    expect(reorg(parts, once, 'dropped')?.txs).toEqual([]);
    expect(reorg(parts, mine(parts, once, { now: START }), 'returned')).toBe(null);
    expect(reorg(parts, state, 'returned')).toBe(null);
  });
});
