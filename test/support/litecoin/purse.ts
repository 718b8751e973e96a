import {
  bytesToHex,
  concatBytes,
  type DecodedTransaction,
  encodeTransaction,
  hash160,
  inputKey,
  keyInputScripts,
  p2pkhScript,
  p2wpkhScript,
  REPLACEABLE_SEQUENCE,
  SIGHASH_ALL,
  sameBytes,
  type TransactionOutput,
  transactionId,
  virtualSize,
  witnessSignatureHash,
} from '../../../src/htlc/index.ts';
import type { Reader, Seen } from './reader.ts';

/** Whoever signs: the adapter never sees the secret key. */
export type Signer = {
  /** Compressed, 33 bytes. */
  readonly key: Uint8Array;
  /** DER with a low S, without a hash type behind it. */
  readonly sign: (hash: Uint8Array) => Uint8Array;
};

export type Coin = { readonly txid: string; readonly vout: number; readonly value: bigint };

/** A transaction in all its forms. */
export type Made = { readonly txid: string; readonly hex: string; readonly tx: DecodedTransaction };

/** What an earlier variant takes and pays, while it may still confirm. */
export type Replaced = { readonly coins: readonly Coin[]; readonly fee: bigint; readonly rate: number };

export type Wanted = {
  readonly outputs: readonly TransactionOutput[];
  /** Base units for each virtual byte. */
  readonly rate: number;
  /** What one byte more than an earlier variant must pay at least. */
  readonly step: number;
  readonly replaced: Replaced | null;
  /** In base units; null for no bound. */
  readonly maxFee: bigint | null;
};

export type Paid = { readonly made: Made; readonly fee: bigint };

export type PurseOptions = {
  readonly reader: Reader;
  readonly signer: Signer;
  /** What is less is left to the miner, in base units. */
  readonly dust: bigint;
  /** Depth from which a rival counts as there for good. */
  readonly finality: number;
};

/** The coins of one key, and what of them is promised. */
export type Purse = ReturnType<typeof createPurse>;

export function createPurse({ reader, signer, dust, finality }: PurseOptions) {
  const script = p2wpkhScript(hash160(signer.key));
  const scriptHex = bytesToHex(script);
  const reserved = new Map<string, Made[]>();
  const prepared = new Map<string, Made>();
  const held = new Map<string, bigint>();

  const conflictDepth = ({ txid: own, tx }: Pick<Made, 'txid' | 'tx'>): number => {
    let deepest = 0;
    for (const { txid, vout } of tx.inputs) {
      for (const taker of reader.takers(txid, vout)) {
        if (taker.txid !== own) deepest = Math.max(deepest, reader.depth(taker));
      }
      const parent = reader.get(txid) === undefined ? prepared.get(txid) : undefined;
      if (parent !== undefined) deepest = Math.max(deepest, conflictDepth(parent));
    }
    return deepest;
  };
  const isReserved = ({ txid, vout }: Coin): boolean => {
    const holders = (reserved.get(`${txid}:${vout}`) ?? []).filter((holder) => conflictDepth(holder) < finality);
    return holders.length > 0;
  };
  /** Nobody but this wallet can replace these; a claim may be replaced at any moment. */
  const isOwn = ({ tx }: Pick<Made, 'tx'>): boolean =>
    tx.inputs.every((input) => {
      const key = inputKey(input);
      return key !== undefined && sameBytes(key, signer.key);
    });
  const coinsOf = ({ txid, tx }: Pick<Seen, 'txid' | 'tx'>): Coin[] =>
    tx.outputs.flatMap(({ value, script: paid }, vout) => (sameBytes(paid, script) ? [{ txid, vout, value }] : []));
  const free = (confirmed: boolean): Coin[] =>
    reader
      .paying(scriptHex)
      .filter((seen) => reader.depth(seen) > 0 === confirmed && (confirmed || isOwn(seen)))
      .flatMap(coinsOf)
      .filter((coin) => reader.takers(coin.txid, coin.vout).length === 0 && !isReserved(coin));
  const sum = (coins: readonly Coin[]): bigint => coins.reduce((total, { value }) => total + value, 0n);

  const take = (made: Made): void => {
    prepared.set(made.txid, made);
    for (const { txid, vout } of made.tx.inputs) {
      const holders = (reserved.get(`${txid}:${vout}`) ?? []).filter((holder) => holder.txid !== made.txid);
      reserved.set(`${txid}:${vout}`, [...holders, made]);
    }
  };
  const giveBack = (made: Made): void => {
    for (const { txid, vout } of made.tx.inputs) {
      const others = (reserved.get(`${txid}:${vout}`) ?? []).filter((holder) => holder.txid !== made.txid);
      if (others.length === 0) reserved.delete(`${txid}:${vout}`);
      else reserved.set(`${txid}:${vout}`, others);
    }
  };
  /** Change of what is prepared and not on its way. */
  const coming = (): bigint => {
    const last = new Set([...reserved.values()].map((holders) => holders.at(-1) as Made));
    const waiting = [...last].filter(({ txid }) => reader.get(txid) === undefined);
    return sum(waiting.filter((made) => conflictDepth(made) === 0).flatMap(coinsOf));
  };

  const signed = (coins: readonly Coin[], outputs: readonly TransactionOutput[]): Made => {
    const draft = draftOf(coins, outputs);
    const inputs = draft.inputs.map((input, place) => {
      const amount = (coins[place] as Coin).value;
      const part = { input: place, scriptCode: p2pkhScript(hash160(signer.key)), amount, hashType: SIGHASH_ALL };
      const hash = witnessSignatureHash(draft, part) as Uint8Array;
      const signature = concatBytes([signer.sign(hash), Uint8Array.of(SIGHASH_ALL)]);
      return { ...input, ...keyInputScripts({ scheme: 'p2wpkh', signature, key: signer.key }) };
    });
    const tx: DecodedTransaction = { ...draft, format: 'segwit', inputs };
    const bytes = encodeTransaction(tx);
    return { txid: transactionId(bytes, tx), hex: bytesToHex(bytes), tx };
  };
  const sizeOf = (count: number, outputs: readonly TransactionOutput[]): number => {
    const coins = Array.from({ length: count }, () => ({ txid: '00'.repeat(32), vout: 0, value: 0n }));
    const draft = draftOf(coins, outputs);
    const longest = keyInputScripts({ scheme: 'p2wpkh', signature: new Uint8Array(73), key: signer.key });
    return virtualSize({ ...draft, format: 'segwit', inputs: draft.inputs.map((input) => ({ ...input, ...longest })) });
  };

  /** Null while these coins do not pay for all of it. */
  const paidWith = (coins: readonly Coin[], wanted: Wanted): Paid | 'tooDear' | null => {
    const { outputs, rate, step, replaced, maxFee } = wanted;
    const value = outputs.reduce((total, output) => total + output.value, 0n);
    const size = sizeOf(coins.length, [...outputs, { value: 0n, script }]);
    const least = (replaced?.fee ?? 0n) + BigInt(Math.ceil(step * size));
    const fee = within(feeAt(Math.max(rate, replaced === null ? 0 : replaced.rate + step), size), { least, maxFee });
    if (fee === null) return 'tooDear';
    const change = sum(coins) - value - fee;
    if (change < 0n) return null;
    if (change < dust) return { made: signed(coins, outputs), fee: fee + change };
    return { made: signed(coins, [...outputs, { value: change, script }]), fee };
  };
  const pay = (wanted: Wanted): Paid | 'tooFew' | 'tooDear' => {
    const coins = [...(wanted.replaced?.coins ?? [])];
    const enough = coins.length > 0 ? paidWith(coins, wanted) : null;
    if (enough !== null) return enough;
    // A replacement may take no further output that waits (BIP 125, rule 2).
    for (const coin of [...free(true), ...(wanted.replaced === null ? free(false) : [])]) {
      if (coins.some(({ txid, vout }) => txid === coin.txid && vout === coin.vout)) continue;
      coins.push(coin);
      const paid = paidWith(coins, wanted);
      if (paid !== null) return paid;
    }
    return 'tooFew';
  };
  /** Null for one that is settled, whose place nothing can take any more. */
  const replacedOf = (made: Made | null): Replaced | null => {
    if (made === null || (reader.get(made.txid)?.height ?? null) !== null || conflictDepth(made) > 0) return null;
    const coins: Coin[] = [];
    for (const { txid, vout } of made.tx.inputs) {
      const parent = reader.get(txid) ?? prepared.get(txid);
      const coin = parent === undefined ? undefined : coinsOf(parent).find((own) => own.vout === vout);
      if (coin === undefined) return null;
      coins.push(coin);
    }
    const fee = made.tx.outputs.reduce((left, { value }) => left - value, sum(coins));
    return { coins, fee, rate: Number(fee) / virtualSize(made.tx) };
  };
  return {
    script,
    prepared,
    held,
    conflictDepth,
    take,
    giveBack,
    pay,
    paidWith,
    replacedOf,
    coming,
    sizeOf,
    spendable: () => sum(free(true)) + sum(free(false)),
    heldByOthers: (swap: string) =>
      [...held].reduce((total, [of, amount]) => (of === swap ? total : total + amount), 0n),
  };
}

function draftOf(coins: readonly Coin[], outputs: readonly TransactionOutput[]): DecodedTransaction {
  const inputs = coins.map(({ txid, vout }) => {
    return { txid, vout, scriptSig: new Uint8Array(0), sequence: REPLACEABLE_SEQUENCE };
  });
  return { format: 'legacy', version: 2, inputs, outputs, lockTime: 0 };
}

export function feeAt(rate: number, size: number): bigint {
  return BigInt(Math.ceil(rate * size));
}

/** A fee, or as much of it as the bound permits; null where that is less than the least. */
export function within(
  wanted: bigint,
  { least, maxFee }: { readonly least: bigint; readonly maxFee: bigint | null },
): bigint | null {
  const fee = wanted < least ? least : wanted;
  if (maxFee === null || fee <= maxFee) return fee;
  return maxFee >= least ? maxFee : null;
}
