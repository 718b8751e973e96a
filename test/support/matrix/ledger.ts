import { hash160 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import type { Above, Books, ToldBlock, ToldTransaction } from './chain.ts';

// What happened, counted from the blocks alone. Nothing here asks the engine, its adapter or its parsers.

/** What the redeem script of a payment says. */
export type Terms = {
  readonly lock: number;
  readonly secretHash: string;
  readonly sender: string;
  readonly receiver: string;
};

export type LedgerSpend = {
  readonly txid: string;
  readonly height: number;
  readonly how: 'claimed' | 'refunded';
  readonly terms: Terms;
  /** The secret that it shows, in hex; null for a refund. */
  readonly secret: string | null;
  /** Output script that got the coins, in hex. */
  readonly to: string;
  readonly fee: bigint;
};

export type LedgerPayment = {
  readonly txid: string;
  /** By which the chain knows it: its transaction, or its name in a contract. */
  readonly id: string;
  readonly height: number;
  readonly value: bigint;
  /** The 20 bytes of its data output, in hex. */
  readonly named: string;
  readonly spend: LedgerSpend | null;
};

/** Pays to the HASH160 of the key of KDF's trading fees. */
const FEE_SCRIPT = '76a914ca1e04745e8ca0c60d8c5881531d51bec470743f88ac';

export type LegLedger = {
  /** What no swap of this coin has any business to do. */
  readonly strays: readonly string[];
  readonly payments: readonly LedgerPayment[];
  /** Values of trading fees. */
  readonly fees: readonly bigint[];
  /** What an output script has. */
  readonly balance: (script: string) => bigint;
  /** What the transactions with coins of a script, or of payments whose spend pays it, have left to miners. */
  readonly costs: (script: string) => { readonly sum: bigint; readonly transactions: number; readonly most: bigint };
  /** What rewards of payments have brought a script, less what it put up for them. @defaultValue nothing */
  readonly rewards?: (script: string) => bigint;
};

type Placed = ToldTransaction & { readonly height: number };
type Output = { readonly value: bigint; readonly script: string };

/** Payments, fees and costs above a height; balances of all blocks. */
export function ledgerOf(blocks: readonly ToldBlock[], { from }: Pick<Above, 'from'>): LegLedger {
  const all: readonly Placed[] = blocks.flatMap(({ height, transactions }) =>
    transactions.map((each) => ({ ...each, height })),
  );
  const outputs = new Map<string, Output>();
  const at = (txid: string, vout: number): string => `${txid}:${vout}`;
  for (const { txid, outputs: made } of all)
    for (const [vout, output] of made.entries()) outputs.set(at(txid, vout), output);
  const spentBy = new Map(all.flatMap((each) => each.inputs.map(({ txid, vout }) => [at(txid, vout), each] as const)));
  const feeOf = ({ inputs, outputs: made }: Placed): bigint => {
    const given = inputs.map(({ txid, vout }) => outputs.get(at(txid, vout))?.value);
    // Coins of before the run are those of whoever funds.
    if (given.includes(undefined)) return 0n;
    return (
      given.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n) - made.reduce((sum, { value }) => sum + value, 0n)
    );
  };
  const recent = all.filter(({ height }) => height > from);
  const payments = recent
    .filter(isPayment)
    .map((each) => paymentOf(each, { spender: spentBy.get(at(each.txid, 0)), feeOf }));
  const paidBy = (script: string): readonly Placed[] =>
    recent.filter(
      ({ inputs, txid }) =>
        inputs.some((input) => outputs.get(at(input.txid, input.vout))?.script === script) ||
        payments.some(({ spend }) => spend?.txid === txid && spend.to === script),
    );
  return {
    payments,
    strays: [],
    fees: recent.flatMap(({ outputs: [first] }) => (first?.script === FEE_SCRIPT ? [first.value] : [])),
    balance: (script) =>
      [...outputs].reduce(
        (sum, [key, output]) => (output.script === script && !spentBy.has(key) ? sum + output.value : sum),
        0n,
      ),
    costs(script) {
      const fees = paidBy(script).map(feeOf);
      const sum = fees.reduce((total, fee) => total + fee, 0n);
      return { sum, transactions: fees.length, most: fees.reduce((most, fee) => (fee > most ? fee : most), 0n) };
    },
  };
}

/** A script hash first, then the 20 bytes that name the payment. */
export function isPayment({ outputs: [first, second] }: ToldTransaction): boolean {
  return /^a914[0-9a-f]{40}87$/.test(first?.script ?? '') && /^6a14[0-9a-f]{40}$/.test(second?.script ?? '');
}

export function isTradingFee({ outputs: [first] }: ToldTransaction): boolean {
  return first?.script === FEE_SCRIPT;
}

/** How a chain of outputs is read. */
export const OUTPUT_BOOKS: Books = {
  ledger: ledgerOf,
  isPayment,
  isTradingFee,
  spends: ({ inputs }, payments) =>
    inputs.some(({ txid, vout }) => vout === 0 && payments.some((payment) => payment.id === txid)),
  shown: ({ inputs }) =>
    inputs.flatMap(({ scriptSig }) => (END.test(scriptSig) ? (unlocked(scriptSig).secret ?? []) : []))[0] ?? null,
  partyOf: bytesToHex,
};

type Around = { readonly spender: Placed | undefined; readonly feeOf: (transaction: Placed) => bigint };

function paymentOf({ txid, height, outputs }: Placed, { spender, feeOf }: Around): LedgerPayment {
  const value = outputs[0]?.value ?? 0n;
  const named = outputs[1]?.script.slice(4) ?? '';
  if (spender === undefined) return { txid, id: txid, height, value, named, spend: null };
  const input = spender.inputs.find((each) => each.txid === txid && each.vout === 0);
  const spend = {
    txid: spender.txid,
    height: spender.height,
    fee: feeOf(spender),
    to: spender.outputs[0]?.script ?? '',
  };
  return { txid, id: txid, height, value, named, spend: { ...spend, ...unlocked(input?.scriptSig ?? '') } };
}

/** Of what ends a payment: its last push is the script. */
const END = /6304[0-9a-f]{8}b17521[0-9a-f]{66}ac6782012088a914[0-9a-f]{40}8821[0-9a-f]{66}ac68$/;

/**
 * What spends a payment: a signature, then the secret and 0, or 1; and last the script. Its own form: an IF with the lock, DROP, the
 * sender's key and CHECKSIG; an ELSE with the secret's length, its hash, the receiver's key and CHECKSIG.
 */
function unlocked(scriptSig: string): Pick<LedgerSpend, 'how' | 'terms' | 'secret'> {
  const [, secret, script] = pushesOf(scriptSig);
  const parts = /^6304([0-9a-f]{8})b17521([0-9a-f]{66})ac6782012088a914([0-9a-f]{40})8821([0-9a-f]{66})ac68$/.exec(
    script ?? '',
  );
  if (parts === null) throw new Error(`no script of a payment: ${script}`);
  const [, lock = '', sender = '', secretHash = '', receiver = ''] = parts;
  const terms = { lock: Buffer.from(lock, 'hex').readUInt32LE(), sender, secretHash, receiver };
  const shown = secret !== undefined && secret.length === 64 ? secret : null;
  return { how: shown === null ? 'refunded' : 'claimed', terms, secret: shown };
}

/** The pushes of a script that has nothing else; `0` and `1` are left out but for their place where a branch is chosen. */
function pushesOf(script: string): readonly string[] {
  const bytes = Buffer.from(script, 'hex');
  const found: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const op = bytes[at] ?? 0;
    at += 1;
    if (op === 0x00 || op === 0x51) {
      if (op === 0x51) found.push('01');
      continue;
    }
    const wide = op === 0x4c ? 1 : 0;
    const length = wide === 1 ? (bytes[at] ?? 0) : op;
    at += wide;
    found.push(bytes.subarray(at, at + length).toString('hex'));
    at += length;
  }
  return found;
}

/** What the data output of a payment with a secret of this hash holds: the hash itself. */
export function nameOf(secret: string): string {
  return bytesToHex(hash160(hexToBytes(secret)));
}
