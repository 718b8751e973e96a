import { contractCallsOf } from '../../../htlc/contract-output.ts';
import { inputKey } from '../../../htlc/key-input.ts';
import { p2pkhScript } from '../../../htlc/script.ts';
import { decodeTransaction, isTransactionProblem } from '../../../htlc/transaction.ts';
import type { Clock } from '../../../ports/clock.ts';
import { BackendSilent } from '../../../ports/silence.ts';
import { hash160 } from '../../../primitives/hash.ts';
import { hexToBytes } from '../../../primitives/hex.ts';
import { unixSecondsOf } from '../../../primitives/time.ts';
import { createChainIndex, type WritableIndex } from '../chain-index.ts';
import type { Tip, UtxoReader, UtxoRefusal } from '../reader.ts';
import { isKnownAlready } from '../refusals.ts';
import { scripthashOf } from '../scripthash.ts';
import { requireBelonging } from './belonging.ts';
import { Branch } from './branch.ts';
import type { ElectrumCall } from './connection.ts';
import { estimate, relayFee } from './fee-rates.ts';
import { claimsOf, type Followed, newFollowed, outdated } from './histories.ts';
import { type ElectrumBackend, type Panel, panelOf, type Told, Unsteady, VoiceAtFault } from './panel.ts';
import { type Proven, settle } from './settle.ts';
import { agreedHead, distrustOthers, notBehind, type Stand, standOf, TOO_LARGE } from './tips.ts';
import { bytesOf, putEntries } from './transactions.ts';
import { ConnectionLost } from './transport.ts';

export type ElectrumReaderOptions = {
  readonly backend: ElectrumBackend;
  /** Decimals of the coin unit in which servers state fees. */
  readonly decimals: number;
  /** Number of blocks whose median time is the chain's clock. */
  readonly medianBlocks: number;
  /** By which it lets go of scripts for which nobody has asked for a day. @defaultValue it never does */
  readonly clock?: Clock;
};

type Reading = ElectrumReaderOptions & {
  readonly panel: Panel;
  readonly index: WritableIndex;
  /** By scripthash. */
  readonly followed: Map<string, Followed>;
  readonly branch: Branch;
  readonly proven: Proven;
  /** The servers on the tip, and what they say. */
  stands: readonly Stand[];
  tip: Tip;
  /** How many have begun. */
  looks: number;
  /** The last one by too few; null where there was none. */
  doubted: { readonly look: number; readonly why: string } | null;
};

/**
 * Follows the best chain of Electrum servers by the histories of scripts: of the wallet's, and of each payment that is asked for.
 *
 * - Each look asks as many servers as the quorum for the tip and for the status of every script; where they differ, all that are connected.
 * - The tip is a block on which as many servers as the quorum stand. Its header chains those below it by their hashes.
 * - A transaction is in a block when a Merkle proof leads to the header of that block, whoever is silent about it. What is not proven takes
 *   as many servers as the quorum.
 *
 * @example
 * ```ts
 * import { createElectrumReader, type ElectrumBackend } from 'swapfold/chains/utxo';
 *
 * const backend: ElectrumBackend = {
 *   batch: async (calls) => calls.map(() => ({ result: 0.00012 })),
 *   onNews: () => ({ close() {} }),
 * };
 * const reader = createElectrumReader({ backend, decimals: 8, medianBlocks: 11 });
 * await reader.estimate({ blocks: 2, mode: null }); // → 12_000n
 * ```
 */
export function createElectrumReader(options: ElectrumReaderOptions): UtxoReader {
  const reading: Reading = {
    ...options,
    panel: panelOf(options.backend),
    index: createChainIndex(() => reading.tip.height),
    followed: new Map(),
    branch: new Branch(options.medianBlocks),
    proven: new Map(),
    stands: [],
    tip: { hash: '', height: -1, clock: unixSecondsOf(0) },
    looks: 0,
    doubted: null,
  };
  let last: Promise<unknown> = Promise.resolve();
  let queued: Promise<Tip> | null = null;
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(() => steadily(reading, work));
    last = mine.catch(() => undefined);
    return mine;
  };
  return {
    sync() {
      queued ??= inTurn(() => {
        queued = null;
        return look(reading);
      });
      return queued;
    },
    follow: (script) => inTurn(() => follow(reading, { hash: scripthashOf(hexToBytes(script)), only: null })),
    find: (txid) => inTurn(() => find(reading, txid)),
    index: reading.index,
    timeOf: (height) => inTurn(async () => (await reading.branch.header(height, voicesOf(reading))).time),
    send: (hex) => send(reading, hex),
    looks: () => reading.looks,
    doubt: (before) => (reading.doubted !== null && reading.doubted.look > before ? reading.doubted.why : null),
    estimate: (question) => estimate(reading, question),
    relayFee: () => relayFee(reading),
    onNews: (told) => options.backend.onNews(told),
  };
}

/** How often a look is repeated when a server fails, lies, or changes its answer meanwhile. */
const TRIES = 5;

async function steadily<T>({ panel }: Reading, work: () => Promise<T>): Promise<T> {
  const changed = new Set<string>();
  for (let left = TRIES; ; left--) {
    try {
      return await work();
    } catch (error) {
      const url = atFault(error, changed);
      if (url !== null) panel.distrust(url, (error as Error).message);
      else if (!(error instanceof Unsteady || error instanceof ConnectionLost)) throw error;
      // A server that is asked alone would say the same again.
      if (left === 1 || (error instanceof VoiceAtFault && panel.quorum === 1))
        throw new BackendSilent((error as Error).message);
    }
  }
}

/** Which server must be left alone: one that lied, or whose answers changed twice while one question was answered, as a liar's may for ever. */
function atFault(error: unknown, changed: Set<string>): string | null {
  if (error instanceof VoiceAtFault) return error.url;
  if (!(error instanceof Unsteady) || error.url === null) return null;
  if (changed.has(error.url)) return error.url;
  changed.add(error.url);
  return null;
}

function voicesOf({ stands }: Reading) {
  return stands.map(({ voice }) => voice);
}

async function look(reading: Reading): Promise<Tip> {
  const { panel, branch, followed } = reading;
  reading.looks += 1;
  const number = reading.looks;
  for (const hash of outdated(followed, nowOf(reading))) letGo(reading, hash);
  const scripts = [...followed];
  const calls: readonly ElectrumCall[] = [
    ['blockchain.headers.subscribe'],
    ...scripts.map(([hash]): ElectrumCall => ['blockchain.scripthash.subscribe', hash]),
  ];
  let stands = (await panel.survey(calls, 'quorum')).map(standOf);
  if (differ(stands) || leaveUntold(stands)) stands = (await panel.survey(calls, 'all')).map(standOf);
  const agreed = await notBehind(await agreedHead(stands, panel.quorum), stands, branch);
  reading.stands = agreed.stands;
  noteDoubt(reading, number);
  await branch.moveTo(agreed.head, voicesOf(reading));
  distrustOthers(panel, agreed.others, branch);
  const { height, header } = agreed.head;
  reading.tip = { hash: header.hash, height, clock: branch.clock() };
  const claims = await claimsOf(scripts, reading.stands);
  for (const [place, [hash, script]] of scripts.entries()) {
    await settleScript(reading, { hash, script, claims: claims[place] ?? [], place });
  }
  return reading.tip;
}

function differ(stands: readonly Stand[]): boolean {
  const [first, ...others] = stands;
  return others.some(
    ({ head, statuses }) =>
      head.header.hash !== first?.head.header.hash ||
      statuses.some((status, place) => status !== first.statuses[place]),
  );
}

/** Whether the history of a script is too large for all of them: another server may tell it, and one that proves what it tells is enough. */
function leaveUntold(stands: readonly Stand[]): boolean {
  return (stands[0]?.statuses ?? []).some((status) => status === TOO_LARGE);
}

/** Also for a look that fails: it may have changed something already. */
function noteDoubt(reading: Reading, look: number): void {
  const { stands, panel } = reading;
  if (stands.length >= panel.quorum) return;
  const why = `${stands.length} of the ${panel.quorum} Electrum servers that must agree answered`;
  reading.doubted = { look, why };
}

type Script = {
  readonly hash: string;
  readonly script: Followed;
  readonly claims: Parameters<typeof settle>[0];
  readonly place: number;
};

async function settleScript(reading: Reading, { hash, script, claims, place }: Script): Promise<void> {
  const { branch, panel, stands, proven, index, tip } = reading;
  const isAbove = claims.some(({ entries }) => entries.some(({ height }) => (height ?? 0) > tip.height));
  const statuses = stands.map((stand) => String(stand.statuses[place] ?? null)).sort();
  const from = [branch.turns, isAbove ? tip.hash : '', ...statuses].join(' ');
  if (script.isRefused) {
    forget(reading, script);
    return;
  }
  if (from === script.from) return;
  const need = Math.min(panel.quorum, stands.length);
  const { only } = script;
  const asked = claims.map(({ voice, entries }) => ({
    voice,
    entries: only === null ? entries : entries.filter(({ txid }) => only.has(txid)),
  }));
  if (only === null) await requireBelonging(asked, { hash, branch, proven, need });
  const entries = await settle(asked, { branch, proven, stands, need });
  await putEntries(entries, { index, claims: asked });
  const there = new Set(entries.map(({ txid }) => txid));
  keepOnly(reading, script, there);
  script.from = from;
}

/** A script whose history no server reports any more counts as unknown, whatever it was before. */
function forget(reading: Reading, script: Followed): void {
  keepOnly(reading, script, new Set());
  script.from = '';
}

/** Nothing in it counts as known any more: whoever asks for it again has it read again. */
function letGo(reading: Reading, hash: string): void {
  const script = reading.followed.get(hash);
  if (script === undefined) return;
  keepOnly(reading, script, new Set());
  reading.followed.delete(hash);
}

function nowOf({ clock }: Reading): number {
  return clock?.now() ?? 0;
}

function keepOnly({ index, followed }: Reading, script: Followed, there: ReadonlySet<string>): void {
  const isElsewhere = (txid: string): boolean =>
    [...followed.values()].some((other) => other !== script && other.txids.has(txid));
  for (const txid of script.txids) if (!there.has(txid) && !isElsewhere(txid)) index.remove(txid);
  script.txids = there;
}

type Wanted = { readonly hash: string; readonly only: string | null };

async function follow(reading: Reading, { hash, only }: Wanted): Promise<boolean> {
  const { followed } = reading;
  const known = followed.get(hash);
  if (known !== undefined) known.askedAt = nowOf(reading);
  if (known !== undefined && known.from !== '') {
    if (known.only === null || (only !== null && known.only.has(only))) return true;
  }
  if (known === undefined) followed.set(hash, { ...newFollowed(only), askedAt: nowOf(reading) });
  else {
    known.from = '';
    if (only === null) known.only = null;
    else known.only?.add(only);
  }
  await look(reading);
  return followed.get(hash)?.isRefused === false;
}

/** Errors with which servers, and the nodes behind them, report an unknown transaction. */
const NOWHERE = /no such|not found|no information|unknown|missing/i;

/**
 * By the history of one of its outputs, which tells its height and is followed from then on. False where a server has it and no history tells
 * of it: that may come with the next look. Where it does not, the bytes are those of a block that was given up, and it is nowhere.
 */
async function find(reading: Reading, txid: string): Promise<boolean> {
  const { index, followed, panel } = reading;
  const watching = [...followed.values()].filter(
    ({ only, txids, lacks }) => txids.has(txid) || only?.has(txid) || lacks.has(txid),
  );
  for (const script of watching) script.askedAt = nowOf(reading);
  if (watching.length > 0) {
    const isNowhere = watching.every(({ txids, isRefused }) => !isRefused && !txids.has(txid));
    return index.get(txid) !== undefined || isNowhere;
  }
  const told = await askedFor(txid, panel);
  const hex = bytesOf(txid, told);
  if (hex === null) {
    const words = told.map(wordsOf);
    const count = (kind: (word: string | null) => boolean): number => words.filter(kind).length;
    // An unreadable form, such as that of an extension block, pays nobody here; what claims a payment in one is found by the history of the payment.
    if (count((word) => word === null) >= panel.quorum || count(saysNowhere) >= panel.quorum) return true;
    const strange = words.find((word) => word !== null && !NOWHERE.test(word)) ?? null;
    if (strange !== null) throw new BackendSilent(`an Electrum server does not send a transaction: ${strange}`);
    throw new BackendSilent('too few Electrum servers say that they do not know a transaction');
  }
  const scripts = tellingScripts(hex);
  for (const script of scripts) {
    const hash = scripthashOf(script);
    await follow(reading, { hash, only: txid });
    if (index.get(txid) !== undefined) return true;
    followed.get(hash)?.lacks.add(txid);
  }
  return scripts.length === 0;
}

/** What as many servers as the quorum say of a transaction; all that are connected where one of them does not tell whether it knows it. */
async function askedFor(txid: string, panel: Panel): Promise<readonly Told[]> {
  const calls: readonly ElectrumCall[] = [['blockchain.transaction.get', txid]];
  const told = await panel.survey(calls, 'quorum');
  if (bytesOf(txid, told) !== null || told.map(wordsOf).every(saysNowhere)) return told;
  return panel.survey(calls, 'all');
}

/** The error with which a server answers; null where it sends something. */
function wordsOf({ answers: [answer] }: Told): string | null {
  return answer !== undefined && 'error' in answer ? answer.error.message : null;
}

function saysNowhere(word: string | null): boolean {
  return word !== null && NOWHERE.test(word);
}

const OP_HASH160 = 0xa9;

/**
 * Scripts of outputs by whose history it is found, that which is likely to be shortest first, by their form: a call of a contract has hardly its like, then
 * that of a payment, or else the change; a fee's has that of all fees.
 */
function tellingScripts(hex: string): readonly Uint8Array[] {
  const tx = decodeTransaction(hexToBytes(hex));
  const calls = isTransactionProblem(tx) ? [] : contractCallsOf(tx.outputs).map(({ vout }) => tx.outputs[vout]?.script);
  const paying = isTransactionProblem(tx)
    ? []
    : tx.outputs.filter(({ value }) => value > 0n).map(({ script }) => script);
  const isHashed = (script: Uint8Array): boolean => script[0] === OP_HASH160 || (script[0] === 0 && script[1] === 32);
  const usual = paying.find(isHashed) ?? paying.at(-1) ?? payersScript(tx);
  return [calls.at(-1), usual].filter((script) => script !== undefined && script !== null);
}

/** If it pays nothing except gas, the address that it spends from. */
function payersScript(tx: ReturnType<typeof decodeTransaction>): Uint8Array | null {
  const [first] = isTransactionProblem(tx) ? [] : tx.inputs;
  const key = first === undefined ? undefined : inputKey(first);
  return key === undefined ? null : p2pkhScript(hash160(key));
}

/** Sent to a quorum of servers, so that no single one can withhold it. */
async function send({ panel }: Reading, hex: string): Promise<UtxoRefusal | null> {
  const told = await panel.survey([['blockchain.transaction.broadcast', hex]], 'quorum');
  const refusals = told.map(({ answers: [answer] }) =>
    answer !== undefined && 'error' in answer ? answer.error : null,
  );
  if (refusals.includes(null)) return null;
  return refusals.find((refusal) => refusal !== null && isKnownAlready(refusal) !== null) ?? refusals[0] ?? null;
}
