import type { DecodedTransaction, TransactionOutput } from '../../src/htlc/transaction.ts';
import type { Rng } from '../../src/sim/xorshift.ts';
import type { IdentifiedTransaction } from '../../src/smartchain/chain/block.ts';
import { payloadScript, type TokenPayload } from '../../src/smartchain/tokens/payload.ts';
import {
  boundTokenScript,
  DEAD_KEY,
  MARKER_SCRIPT,
  MODULE_FEE,
  tokenScript,
} from '../../src/smartchain/tokens/scripts.ts';
import type { SpendableCoin } from '../../src/smartchain/wallet/choose-coins.ts';
import { identified, scriptOf, spend, type TestChain } from './smart-chain.ts';

/** Why the scripts of a token transaction do not hold. */
const MODULE =
  '16: mandatory-script-verify-flag-failed (Script evaluated without error but finished with a false/empty top stack element)';
const NO_TOKEN = '1'.repeat(64);
const NOTHING = new Uint8Array(0);

/** Tokens of one output, as whoever drew the transactions knows them. */
export type Holding = {
  readonly coin: SpendableCoin;
  readonly tokenId: string;
  /** Place of the key among those of the chain; -1 for tokens that none of them can spend. */
  readonly owner: number;
  readonly amount: bigint;
  readonly bound: number | undefined;
};

/** A transaction with the answer that it must get, and what is held of it when it was taken. */
export type Drawn = {
  readonly kind: string;
  readonly transaction: IdentifiedTransaction;
  readonly expected: string;
  readonly made: readonly Holding[];
};

/** What a draw has to choose from: a coin for the fee, and tokens that nothing else spends. */
export type Supply = { readonly paying: SpendableCoin; readonly payer: number; readonly tokens: readonly Holding[] };

type Part = { readonly keys: readonly Uint8Array[]; readonly owner: number; readonly amount: bigint };
/** A transfer before it is written down. */
type Plan = {
  readonly inputs: readonly Holding[];
  readonly parts: readonly Part[];
  readonly recipients: readonly Uint8Array[];
};

/** Draws token transactions of which it is known beforehand whether they hold. */
export class TokenDraws {
  readonly #test: TestChain;
  readonly #rng: Rng;

  constructor(test: TestChain, rng: Rng) {
    this.#test = test;
    this.#rng = rng;
  }

  /** A transfer to one or two keys, or to nobody, with or without change. */
  valid(supply: Supply): Drawn {
    const plan = this.#plan(supply.tokens);
    const transaction = this.#written(supply, plan);
    const [first] = plan.inputs as [Holding];
    const made = plan.parts.map(({ owner, amount }, index) => {
      const output = transaction.transaction.outputs[1 + index] as TransactionOutput;
      return { ...first, owner, amount, coin: { txid: transaction.txid, vout: 1 + index, output } };
    });
    return { kind: `transfer to ${plan.recipients.length}`, transaction, expected: 'taken', made };
  }

  /** A creation of fungible tokens, or of one that a module binds. */
  creation({ paying, payer }: Omit<Supply, 'tokens'>): Drawn {
    const key = this.#key(payer);
    const bound = this.#rng.below(4) === 0 ? 0xf7 : undefined;
    const amount = bound === undefined ? BigInt(1 + this.#rng.below(5_000)) : 1n;
    const blobs = bound === undefined ? [] : [{ id: 0x11, data: Uint8Array.of(bound, this.#rng.below(256)) }];
    const payload: TokenPayload = { kind: 'create', owner: key, name: Uint8Array.of(65), description: NOTHING, blobs };
    const outputs = [
      { value: MODULE_FEE, script: MARKER_SCRIPT },
      { value: amount, script: bound === undefined ? tokenScript([key]) : boundTokenScript(bound, [key]) },
      this.#change(paying, { payer, less: MODULE_FEE + amount }),
      { value: 0n, script: payloadScript(payload) },
    ];
    const transaction = spend(this.#test, { coins: [paying], outputs });
    const coin = { txid: transaction.txid, vout: 1, output: outputs[1] as TransactionOutput };
    const made = [{ coin, tokenId: transaction.txid, owner: payer, amount, bound }];
    return { kind: 'creation', transaction, expected: 'taken', made };
  }

  /** A transfer with one fault. */
  invalid(supply: Supply): Drawn {
    const kinds = Object.keys(FAULTS);
    const kind = kinds[this.#rng.below(kinds.length)] as keyof typeof FAULTS;
    const plan = this.#plan(supply.tokens);
    const transaction = FAULTS[kind](
      { write: (edited, options) => this.#written(supply, edited, options), rng: this.#rng, supply },
      plan,
    );
    const expected = kind in OTHER_ANSWERS ? (OTHER_ANSWERS[kind] as string) : MODULE;
    return { kind, transaction, expected, made: [] };
  }

  #key(index: number): Uint8Array {
    return (this.#test.keys[index] ?? this.#test.keys[0]).publicKey;
  }

  #change(
    { output }: SpendableCoin,
    { payer, less }: { readonly payer: number; readonly less: bigint },
  ): TransactionOutput {
    const key = this.#test.keys[payer] ?? this.#test.keys[0];
    return { value: output.value - less - MODULE_FEE, script: scriptOf(key) };
  }

  #plan(tokens: readonly Holding[]): Plan {
    const [first] = tokens as [Holding];
    const alike = tokens.filter(({ tokenId }) => tokenId === first.tokenId);
    const inputs = alike.slice(0, 1 + this.#rng.below(Math.min(4, alike.length)));
    const sum = inputs.reduce((total, { amount }) => total + amount, 0n);
    const kept = sum > 1n && this.#rng.below(3) > 0 ? 1n + BigInt(this.#rng.below(Number(sum - 1n))) : 0n;
    const { recipients, owner } = this.#recipients();
    const split =
      sum - kept > 1n && this.#rng.below(3) === 0 ? 1n + BigInt(this.#rng.below(Number(sum - kept - 1n))) : 0n;
    const sent = [sum - kept - split, split].filter((amount) => amount > 0n);
    const parts: Part[] = sent.map((amount) => ({ keys: recipients, owner, amount }));
    if (kept > 0n) parts.push({ keys: [this.#key(first.owner)], owner: first.owner, amount: kept });
    return { inputs, parts, recipients };
  }

  #recipients(): { readonly recipients: readonly Uint8Array[]; readonly owner: number } {
    const owner = this.#rng.below(3);
    const drawn = this.#rng.below(12);
    if (drawn === 0) return { recipients: [DEAD_KEY], owner: -1 };
    // Either of two could spend them, but the wallet signs for single keys alone.
    if (drawn === 1) return { recipients: [this.#key(owner), this.#key((owner + 1) % 3)], owner: -1 };
    return { recipients: [this.#key(owner)], owner };
  }

  #written(
    { paying, payer }: Supply,
    { inputs, parts, recipients }: Plan,
    options: Written = {},
  ): IdentifiedTransaction {
    const [first] = inputs as [Holding];
    const scriptFor = (keys: readonly Uint8Array[]) =>
      first.bound === undefined ? tokenScript(keys) : boundTokenScript(first.bound, keys);
    const tokens = parts.map(({ keys, amount }) => ({ value: amount, script: scriptFor(keys) }));
    const brought = inputs.reduce((total, { amount }) => total + amount, 0n);
    const given = parts.reduce((total, { amount }) => total + amount, 0n);
    const { tokenId = first.tokenId, payload = { kind: 'transfer', tokenId, keys: recipients, blobs: [] } } = options;
    const last = payload === 'none' ? [] : [{ value: 0n, script: payloadScript(payload) }];
    const outputs = [this.#change(paying, { payer, less: given - brought }), ...tokens, ...last];
    const placed = options.place?.(outputs) ?? outputs;
    return spend(this.#test, { coins: [paying, ...inputs.map(({ coin }) => coin)], outputs: placed });
  }
}

type Written = {
  readonly tokenId?: string;
  readonly payload?: TokenPayload | 'none';
  readonly place?: (outputs: readonly TransactionOutput[]) => readonly TransactionOutput[];
};

type Faulty = {
  readonly write: (plan: Plan, options?: Written) => IdentifiedTransaction;
  readonly rng: Rng;
  readonly supply: Supply;
};

const withPart = (plan: Plan, edit: (part: Part) => Part): Plan => {
  return { ...plan, parts: plan.parts.map((part, index) => (index === 0 ? edit(part) : part)) };
};

/** What can be wrong with a transfer, by name. Each is signed after it was made wrong, unless the signature is what is wrong. */
const FAULTS = {
  'more out than in': ({ write, rng }, plan) =>
    write(withPart(plan, (part) => ({ ...part, amount: part.amount + 1n + BigInt(rng.below(900)) }))),
  'less out than in': ({ write, rng }, plan) => {
    const [{ amount }] = plan.parts as [Part];
    const less = amount > 1n ? 1n + BigInt(rng.below(Number(amount - 1n))) : 1n;
    return write(withPart(plan, (part) => ({ ...part, amount: amount - less })));
  },
  'to a key that nobody named': ({ write, rng }, plan) =>
    write(
      withPart(plan, (part) => ({ ...part, keys: [Uint8Array.of(3, ...new Uint8Array(32).fill(rng.below(256)))] })),
    ),
  'under an unknown id': ({ write }, plan) => write(plan, { tokenId: NO_TOKEN }),
  'under the id of another token': ({ write, supply }, plan) => {
    const other = supply.tokens.find(({ tokenId }) => tokenId !== plan.inputs[0]?.tokenId);
    return write(plan, { tokenId: other?.tokenId ?? NO_TOKEN });
  },
  'tokens of two ids': ({ write, supply }, plan) => {
    const other = supply.tokens.find(({ tokenId }) => tokenId !== plan.inputs[0]?.tokenId);
    return write(other === undefined ? { ...plan, parts: [] } : { ...plan, inputs: [...plan.inputs, other] });
  },
  'without a payload': ({ write }, plan) => write(plan, { payload: 'none' }),
  'with the payload of a creation': ({ write }, plan) => {
    const [owner] = plan.recipients as [Uint8Array];
    return write(plan, { payload: { kind: 'create', owner, name: NOTHING, description: NOTHING, blobs: [] } });
  },
  'with the payload before the last output': ({ write }, plan) =>
    write(plan, { place: ([change, ...rest]) => [...rest, change as TransactionOutput] }),
  'with nobody named': ({ write, rng }, plan) => {
    const [{ owner }] = plan.inputs as [Holding];
    const all = plan.inputs.reduce((total, { amount }) => total + amount, 0n);
    const keys = [Uint8Array.of(2, ...new Uint8Array(32).fill(rng.below(256)))];
    return write({ inputs: plan.inputs, recipients: [], parts: [{ keys, owner, amount: all }] });
  },
  'changed after it was signed': ({ write }, plan) => {
    const { transaction } = write(plan);
    return changed(transaction, {
      outputs: transaction.outputs.map((each, index) => (index === 1 ? less(each) : each)),
    });
  },
  'with the signature of another input': ({ write }, plan) => {
    const { transaction } = write(plan);
    const elsewhere = transaction.inputs.map((input, index) => {
      return index === 1 ? { ...input, scriptSig: flipped(input.scriptSig) } : input;
    });
    return changed(transaction, { inputs: elsewhere });
  },
  'that takes a coin twice': ({ write }, plan) => {
    const { transaction } = write(plan);
    return changed(transaction, { inputs: [...transaction.inputs, ...transaction.inputs.slice(1, 2)] });
  },
  'that gives out coins that nobody put in': ({ write, rng }, plan) =>
    write(plan, {
      place: ([change, ...rest]) => {
        const { value, script } = change as TransactionOutput;
        return [{ value: value + 2n * MODULE_FEE + BigInt(rng.below(99)), script }, ...rest];
      },
    }),
} satisfies Record<string, (of: Faulty, plan: Plan) => IdentifiedTransaction>;

/** Of faults that are seen before, or without, the module. */
const OTHER_ANSWERS: Partial<Record<keyof typeof FAULTS, string>> = {
  'that takes a coin twice': '16: bad-txns-inputs-duplicate',
  'that gives out coins that nobody put in': '16: bad-txns-in-belowout',
};

function changed(transaction: DecodedTransaction, edit: Partial<DecodedTransaction>): IdentifiedTransaction {
  return identified({ ...transaction, ...edit });
}

function less({ value, script }: TransactionOutput): TransactionOutput {
  return { value: value - 1n, script };
}

/** The last byte of a fulfillment is the kind of the hash; the one before it is of the signature or of what stands beside it. */
function flipped(scriptSig: Uint8Array): Uint8Array {
  return scriptSig.map((byte, index) => (index === scriptSig.length - 40 ? byte ^ 1 : byte));
}
