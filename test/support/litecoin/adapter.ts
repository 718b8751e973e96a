import {
  bytesToHex,
  concatBytes,
  decimalOf,
  feeProblem,
  feeScripts,
  fromBaseUnits,
  hexToBytes,
  inputKey,
  KDF_NETWORK,
  paymentOutputs,
  paymentProblem,
  paymentScript,
  type ScriptScheme,
  sameBytes,
  sha256,
  type TradingFee,
  type TransactionOutput,
  takenBy,
  toBaseUnits,
} from '../../../src/htlc/index.ts';
import type {
  Answer,
  ChainFault,
  ChainTraits,
  FaultKind,
  FeeCheck,
  ForSwap,
  PaymentQuery,
  PaymentView,
  PreparedTransaction,
  PrepareRequest,
  Quote,
  SignedTransaction,
  TransactionView,
} from '../../../src/ports/chain.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { millisOf, type UnixSeconds } from '../../../src/primitives/time.ts';
import type { RuntimeChain } from '../../../src/runtime/gate.ts';
import type { LitecoindClient } from '../litecoind.ts';
import { createPurse, feeAt, type Made, type Purse, type Signer } from './purse.ts';
import { createReader, NodeSilent, type Reader, type Seen, type Tip } from './reader.ts';
import { refusalOf } from './refusals.ts';
import { completed, madeOf, makeSpend, type Spending, scriptTerms, spentBy } from './spends.ts';

/** A wallet of one key on a node of Bitcoin's family, behind the chain port: a trial of the port, made with `swapfold/htlc` alone. */
export type LitecoinOptions = {
  readonly node: LitecoindClient;
  /** Of the wallet's coins. */
  readonly signer: Signer;
  /** Of the payments of a swap. @defaultValue the wallet's own for all of them */
  readonly signerOf?: (swap: string) => Signer;
  readonly clock: Clock;
  readonly coin: string;
  readonly scheme: ScriptScheme;
  readonly finality: number;
  readonly blockTime: number;
  /** Height before which nothing of this wallet is. */
  readonly birth: number;
  /** Blocks that a new process reads at once. @defaultValue all from the birth on */
  readonly depth?: number;
  /** Base units for each virtual byte that are offered without any urgency. */
  readonly feeRate: number;
  /** Seconds between two looks for news. */
  readonly poll: number;
  /** Whether the feed says that it is complete, and says something at every look. */
  readonly complete: boolean;
};

const DECIMALS = 8;
/** What Litecoin relays in one output at least, whatever its form. */
const DUST = 5460n;
/** What a replacement pays at least for each of its own bytes, in base units. */
const RELAY_STEP = 1;
const STEP_OF_URGENCY = 1.5;
const PREIMAGE_URGENCY = 1;

type Parts = LitecoinOptions & {
  readonly reader: Reader;
  readonly purse: Purse;
  readonly swapSigner: (swap: string) => Signer;
};

/** Names a swap in the fee that is for it: 16 bytes of data, of an output that nobody can spend. */
function nameOf(swap: string): TransactionOutput {
  return { value: 0n, script: concatBytes([NAME_HEAD, sha256(new TextEncoder().encode(swap)).subarray(0, 16)]) };
}

/** OP_RETURN, and a push of 16 bytes. */
const NAME_HEAD = Uint8Array.of(0x6a, 16);

export function createLitecoinChain(options: LitecoinOptions): RuntimeChain {
  const { node, signer, birth, depth, signerOf = () => signer } = options;
  const reader = createReader({ node, birth, ...(depth === undefined ? {} : { depth }) });
  const purse = createPurse({ reader, signer, dust: DUST, finality: options.finality });
  const parts: Parts = { ...options, reader, purse, swapSigner: signerOf };
  const each = (action: (made: Made) => void) => (transactions: readonly SignedTransaction[]) => {
    for (const { tx_hex } of transactions) {
      const made = madeOf(tx_hex);
      if (made !== null) action(made);
    }
  };
  const asked = <T>(question: (tip: Tip) => Answer<T> | Promise<Answer<T>>): Promise<Answer<T>> =>
    reader.sync().then(question).catch(unanswered);
  return {
    traits: traitsOf(options),
    htlcKey: (swap) => bytesToHex(signerOf(swap).key),
    quote: () => asked((tip) => quoteOf(parts, tip)),
    payment: (query) => asked((tip) => paymentOf(parts, { query, tip })),
    transaction: (hash) => asked(() => transactionOf(parts, hash)),
    checkFee: (check, forSwap) => asked(() => checkFee(parts, { check, ...forSwap })),
    prepare: (request, { swap }) => asked((tip) => prepare(parts, { request, swap, tip })),
    broadcast: (transaction) => asked(() => broadcast(parts, transaction)),
    subscribe: (onChange) => poll(parts, onChange),
    reserve: each(purse.take),
    release: each(purse.giveBack),
    hold: ({ swap, amount }) => void purse.held.set(swap, toBaseUnits(amount, DECIMALS)),
  };
}

function traitsOf({ coin, scheme, finality, blockTime, poll, complete }: LitecoinOptions): ChainTraits {
  return {
    coin,
    decimals: DECIMALS,
    minTxAmount: DUST,
    refund: 'transaction',
    watchers: true,
    finality,
    contract: null,
    scheme,
    secretHashBytes: 20,
    blockTime,
    ...(complete ? { feed: { heartbeat: MISSED_LOOKS * poll } } : {}),
  };
}

const ok = <T>(value: T): Answer<T> => ({ ok: true, value });
const fault = (kind: FaultKind, message: string): { readonly ok: false; readonly fault: ChainFault } => {
  return { ok: false, fault: { kind, message } };
};

function unanswered(error: unknown): Answer<never> {
  if (error instanceof NodeSilent) return fault('unavailable', error.message);
  throw error;
}

/** Looks that a complete feed may miss before it counts as broken. */
const MISSED_LOOKS = 3;

/** Looks for news again and again, and tells of them. */
function poll(
  { clock, reader, poll: pause, complete }: Parts,
  onChange: Parameters<RuntimeChain['subscribe']>[0],
): { readonly close: () => void } {
  let closed = false;
  let known: string | null = null;
  let cancel = (): void => {};
  const look = async (): Promise<void> => {
    const tip = await reader.sync().catch(() => null);
    if (closed) return;
    const found = tip === null ? null : `${tip.hash} ${reader.version()}`;
    if (found === null) onChange('broken');
    else if (found !== known) onChange('changed');
    else if (complete) onChange('alive');
    known = found;
    cancel = clock.wakeAt(millisOf(clock.now() + pause * 1000), () => void look());
  };
  void look();
  return {
    close() {
      closed = true;
      cancel();
    },
  };
}

const coins = (units: bigint) => fromBaseUnits(units, DECIMALS);

/** An offer without urgency, and half as much again for each step of it; never less than the node relays. */
function rateAt({ feeRate }: Parts, urgency: number): number {
  return feeRate * STEP_OF_URGENCY ** Math.max(0, urgency);
}

/** Enough for two coins, and for a claim under any scheme. */
const USUAL_INPUTS = 2;
const LARGEST_SPEND = 320;

function quoteOf(parts: Parts, { height, clock }: Tip): Answer<Quote> {
  const { purse } = parts;
  const output = { value: 0n, script: new Uint8Array(34) };
  const cost = (outputs: number) => {
    const size = purse.sizeOf(
      USUAL_INPUTS,
      Array.from({ length: outputs + 1 }, () => output),
    );
    return coins(feeAt(rateAt(parts, 0), size));
  };
  return ok({
    height,
    clock: clock as UnixSeconds,
    spendable: coins(purse.spendable()),
    coming: coins(purse.coming()),
    paymentFee: cost(2),
    spendFee: coins(feeAt(rateAt(parts, 0), LARGEST_SPEND)),
    spendFeeFrom: 'claim',
    dexFeeFee: cost(2),
  });
}

type Asked = { readonly query: PaymentQuery; readonly tip: Tip };

async function paymentOf(parts: Parts, { query, tip }: Asked): Promise<Answer<PaymentView>> {
  const { reader, scheme } = parts;
  const { terms, claimed, from = 0 } = query;
  const payment = { terms: scriptTerms(terms), scheme, value: toBaseUnits(terms.amount, DECIMALS) };
  let script: string;
  try {
    script = bytesToHex(paymentScript(payment));
  } catch (error) {
    return ok(emptyView({ terms, tip, problem: error instanceof Error ? error.message : String(error) }));
  }
  const isWhole = await reader.reaches(from);
  const found = reader
    .paying(script)
    .filter((seen) => seen.height === null || seen.height >= from)
    .map((seen) => {
      const exact = paymentProblem(seen.tx, payment) === null;
      return { seen, rank: reader.depth(seen) + (exact ? tip.height + 1 : 0) };
    })
    .sort((left, right) => right.rank - left.rank)[0]?.seen;
  // What is not found may be in a block that is not read yet.
  if (found === undefined && !isWhole) return fault('unknown', 'the blocks in which it may be are still being read');
  const named = claimed === undefined ? found : madeOf(claimed);
  const problem =
    named === undefined
      ? null
      : named === null
        ? 'Provided payment tx cannot be read'
        : paymentProblem(named.tx, payment);
  const view = emptyView({ terms, tip, problem });
  if (found === undefined) return ok(view);
  const tx = { tx_hex: found.hex, tx_hash: found.txid };
  return ok({
    ...view,
    funding: { tx, confirmations: reader.depth(found) },
    spend: spendOf(reader, { found, script }),
  });
}

type Stand = { readonly terms: PaymentQuery['terms']; readonly tip: Tip; readonly problem: string | null };

function emptyView({ terms, tip, problem }: Stand): PaymentView {
  const clock = tip.clock as UnixSeconds;
  const expiry = { unit: 'seconds', at: terms.lock, now: clock } as const;
  return { funding: null, problem, spend: null, refundable: clock > terms.lock, clock, height: tip.height, expiry };
}

function spendOf(reader: Reader, { found, script }: { found: Seen; script: string }): PaymentView['spend'] {
  const vout = found.tx.outputs.findIndex((output) => bytesToHex(output.script) === script);
  const taker = [...reader.takers(found.txid, vout)].sort((left, right) => reader.depth(right) - reader.depth(left))[0];
  if (taker === undefined) return null;
  const taken = takenBy(taker.tx, { txid: found.txid, vout });
  const tx = { tx_hex: taker.hex, tx_hash: taker.txid };
  const secret = taken?.how === 'secret' ? bytesToHex(taken.secret) : null;
  return { how: secret === null ? 'refund' : 'secret', tx, confirmations: reader.depth(taker), secret };
}

async function transactionOf({ reader, purse, birth }: Parts, hash: string): Promise<Answer<TransactionView>> {
  const seen = reader.get(hash);
  if (seen !== undefined) {
    const confirmations = reader.depth(seen);
    return ok({ status: confirmations === 0 ? 'mempool' : 'confirmed', confirmations, tx_hex: seen.hex });
  }
  const made = purse.prepared.get(hash);
  const confirmations = made === undefined ? 0 : purse.conflictDepth(made);
  if (confirmations > 0) return ok({ status: 'conflicted', confirmations });
  if (!(await reader.reaches(birth))) return fault('unknown', 'the blocks in which it may be are still being read');
  return reader.get(hash) === undefined
    ? ok({ status: 'unknown', confirmations: 0 })
    : transactionOf({ reader, purse, birth } as Parts, hash);
}

type Checked = ForSwap & { readonly check: FeeCheck };

/** Whose fee it is is told by the key that paid it, or by the name of the swap in it. */
function checkFee({ reader }: Parts, { check, swap }: Checked): Answer<string | null> {
  const { tx, hash, payer, feeSat, burnSat, minHeight } = check;
  const given = tx === null ? null : madeOf(tx);
  if (tx !== null && given?.txid !== hash) return ok(`the fee transaction is not ${hash}`);
  const seen = reader.get(hash);
  if (seen === undefined) return ok(`Provided dex fee tx ${hash} is not found`);
  const key = hexToBytes(payer);
  const isPayers = seen.tx.inputs.every((input) => {
    const shown = inputKey(input);
    return shown !== undefined && sameBytes(shown, key);
  });
  const named = seen.tx.outputs.find(({ script }) => sameBytes(script.subarray(0, NAME_HEAD.length), NAME_HEAD));
  if (named === undefined && !isPayers) return ok(`the dex fee ${hash} was sent from another key`);
  if (named !== undefined && !sameBytes(named.script, nameOf(swap).script))
    return ok(`the dex fee ${hash} is for another swap`);
  if (seen.height !== null && seen.height < minHeight)
    return ok(`the dex fee ${hash} is older than block ${minHeight}`);
  const fee = { kind: burnSat > 0n ? 'withBurn' : 'standard', feeSat: feeSat ?? 0n, burnSat } as const;
  return ok(feeProblem({ txid: hash, outputs: seen.tx.outputs }, fee));
}

type Preparing<R = PrepareRequest> = { readonly request: R; readonly swap: string; readonly tip: Tip };

function prepare(parts: Parts, asked: Preparing): Answer<PreparedTransaction> {
  const { purse, scheme } = parts;
  const { request } = asked;
  switch (request.purpose) {
    case 'fee': {
      const { fee, burn } = feeScripts(KDF_NETWORK.tradingFee as TradingFee);
      const burnt = request.burnSat > 0n ? [{ value: request.burnSat, script: burn }] : [];
      // Nobody sees by the key whose fee it is.
      const name = parts.signerOf === undefined ? [] : [nameOf(asked.swap)];
      return pay(parts, { ...asked, request, outputs: [{ value: request.feeSat, script: fee }, ...burnt, ...name] });
    }
    case 'payment': {
      if (request.terms.sender !== bytesToHex(parts.swapSigner(asked.swap).key))
        return fault('invalid', 'the sender is somebody else');
      const value = toBaseUnits(request.terms.amount, DECIMALS);
      return pay(parts, {
        ...asked,
        request,
        outputs: paymentOutputs({ terms: scriptTerms(request.terms), scheme, value }),
      });
    }
    case 'void':
      return makeVoid(parts, { ...asked, request });
    case 'completePreimage': {
      const made = completed(request.preimage, request.secret);
      const [input] = made?.tx.inputs ?? [];
      if (made === null || input === undefined)
        return fault('invalid', 'the bytes are no preimage, or the secret is another');
      const value = parts.reader.get(input.txid)?.tx.outputs[input.vout]?.value;
      if (value === undefined) return fault('parentsUnknown', `${input.txid} is not known`);
      purse.prepared.set(made.txid, made);
      return ok(
        preparedOf(
          made,
          made.tx.outputs.reduce((left, output) => left - output.value, value),
        ),
      );
    }
    default:
      return spend(parts, { ...asked, request });
  }
}

function spend(parts: Parts, { request, swap }: Preparing<Spending>): Answer<PreparedTransaction> {
  const { scheme, purse } = parts;
  const signer = parts.swapSigner(swap);
  const rate = rateAt(parts, 'urgency' in request ? request.urgency : PREIMAGE_URGENCY);
  const maxFee = 'maxFee' in request ? boundOf(request) : null;
  let spent: ReturnType<typeof makeSpend>;
  try {
    spent = makeSpend(request, { signer, scheme, to: purse.script, rate, step: RELAY_STEP, dust: DUST, maxFee });
  } catch (error) {
    return fault('invalid', error instanceof Error ? error.message : String(error));
  }
  if ('kind' in spent) return fault(spent.kind, spent.message);
  purse.prepared.set(spent.made.txid, spent.made);
  return ok(preparedOf(spent.made, spent.fee));
}

type Paying = Preparing<Extract<PrepareRequest, { purpose: 'fee' | 'payment' }>> & {
  readonly outputs: Parameters<Purse['pay']>[0]['outputs'];
};

function pay(parts: Parts, { request, swap, outputs }: Paying): Answer<PreparedTransaction> {
  const { purse } = parts;
  const value = outputs.reduce((total, output) => total + output.value, 0n);
  if ((outputs[0]?.value ?? 0n) < DUST) return fault('invalid', `less than ${DUST} base units`);
  const replaced = purse.replacedOf(request.replaces === null ? null : madeOf(request.replaces.tx_hex));
  const rate = rateAt(parts, request.urgency);
  const paid = purse.pay({ outputs, rate, step: RELAY_STEP, replaced, maxFee: boundOf(request) });
  if (paid === 'tooDear') return fault('feeTooLow', 'no fee within the bound would do');
  const all = purse.spendable() + purse.coming();
  if (paid === 'tooFew') {
    const least = value + feeAt(rate, purse.sizeOf(1, outputs));
    return fault(all >= least ? 'coinsPromised' : 'insufficientFunds', `not enough for ${coins(value)} and its fee`);
  }
  const cost = value + paid.fee;
  if (replaced === null && all - cost < purse.heldByOthers(swap)) {
    return fault('coinsPromised', 'the rest is held for other swaps');
  }
  purse.take(paid.made);
  const own = purse.held.get(swap);
  if (replaced === null && own !== undefined) purse.held.set(swap, own > cost ? own - cost : 0n);
  return ok(preparedOf(paid.made, paid.fee));
}

function makeVoid(
  parts: Parts,
  { request }: Preparing<Extract<PrepareRequest, { purpose: 'void' }>>,
): Answer<PreparedTransaction> {
  const { purse } = parts;
  const target = madeOf(request.target.tx_hex);
  const replaced = purse.replacedOf(target);
  if (target === null || replaced === null) return fault('invalid', 'the target is none of this wallet, or settled');
  const wanted = {
    outputs: [],
    rate: rateAt(parts, request.urgency),
    step: RELAY_STEP,
    replaced,
    maxFee: boundOf(request),
  };
  const paid = purse.paidWith(replaced.coins, wanted);
  if (paid === 'tooDear') return fault('feeTooLow', 'no fee within the bound would do');
  if (paid === null) return fault('insufficientFunds', 'the inputs do not cover a higher fee');
  purse.take(paid.made);
  return ok(preparedOf(paid.made, paid.fee));
}

function boundOf({ maxFee }: { readonly maxFee?: string }): bigint | null {
  return maxFee === undefined ? null : toBaseUnits(decimalOf(maxFee), DECIMALS);
}

function preparedOf({ txid, hex, tx }: Made, fee: bigint): PreparedTransaction {
  return { tx_hex: hex, tx_hash: txid, spends: spentBy(tx), fee: coins(fee) };
}

const IN_CHAIN = -27;

async function broadcast(
  { node, reader }: Parts,
  { tx_hex, tx_hash }: SignedTransaction,
): Promise<Answer<'sent' | 'known' | 'confirmed'>> {
  const made = madeOf(tx_hex);
  if (made === null || made.txid !== tx_hash) return fault('invalid', `the bytes are not those of ${tx_hash}`);
  const seen = reader.get(tx_hash);
  if (seen !== undefined) return ok(seen.height === null ? 'known' : 'confirmed');
  // The node's own ceiling for fees is for people who type; who pays how much is decided above.
  const [answer] = await node.batch([['sendrawtransaction', tx_hex, 0]]).catch((cause: unknown) => {
    throw new NodeSilent('the node does not answer', { cause });
  });
  if (answer === undefined) return fault('unavailable', 'the node does not answer');
  if ('result' in answer) return ok('sent');
  if (answer.error.code === IN_CHAIN) return ok('confirmed');
  const isTaken = made.tx.inputs.some(({ txid, vout }) =>
    reader.takers(txid, vout).some(({ height }) => height !== null),
  );
  const kind = refusalOf(answer.error) ?? (isTaken ? 'inputsSpent' : 'parentsUnknown');
  return fault(kind, answer.error.message);
}
