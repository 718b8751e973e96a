import { encodeSavedSwap } from '../../events/encode.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import { isJsonObject } from '../../primitives/json.ts';
import { type ExplainFacts, firstEvent, legsOf } from './facts.ts';

/** What to ask the node of, which holds the swap: this engine's where its log is one, else the real node. */
export function* realNodeAdvice(facts: ExplainFacts): Generator<string> {
  const { log, replayed } = facts;
  if (log.journal !== undefined) {
    yield `With the log of this engine: swapfold recover ${replayed.uuid} --log <its log>; the node that opens the log with both coins active does the rest.`;
    return;
  }
  const coins = coinsOf(facts);
  const refused = refusalOf(log);
  if (refused !== null) {
    yield `The real node refuses recover_funds_of_swap for this log (“${refused}”), ${refused === NOT_FINISHED ? 'and started again it may head for a refund: make the transaction with the keys themselves, or let the node close the swap first' : 'so the transaction has to be made with the keys themselves'}.`;
    return;
  }
  const told = [...loadAdvice(facts)];
  yield* told;
  if (missingIn(log) !== null) return;
  yield `On the real node: activate ${coins}, then send ${bodyOf('recover_funds_of_swap', `{"uuid": "${replayed.uuid}"}`)} to it.`;
}

/** What it takes until a node can go on with a log that the real node does not load as it is; nothing where it does, or where an engine keeps the log. */
export function* loadAdvice(facts: ExplainFacts): Generator<string> {
  const { log, replayed } = facts;
  if (log.journal !== undefined) return;
  const isOpen = firstEvent(log, 'Finished') === undefined;
  const missing = missingIn(log);
  if (missing !== null) {
    const order = isOpen ? '' : `, then swapfold recover ${replayed.uuid} --log swaps.db`;
    yield `The real node cannot load this log, and nothing that it loads can be made of it (${missing}). Let a node of this engine with the same keys take the swap over: swapfold import --log swaps.db <this file>${order}; the node that opens the log with ${coinsOf(facts)} active does the rest.`;
    return;
  }
  const why = unreadable(facts);
  if (why === null) return;
  yield `The real node cannot read this log as it is stored (${why}). Convert it first: swapfold export --format kdf --secrets --out fixed.json <this file>.`;
  const start = isOpen ? `, and start it again with ${coinsOf(facts)} active: it goes on with the swap` : '';
  yield `Then let the real node take it over: send ${bodyOf('import_swaps', '{"swaps": [<what fixed.json holds>]}')} to it${start}.`;
}

function coinsOf(facts: ExplainFacts): string {
  const named = legsOf(facts)
    .toSorted((left, right) => left.owner.localeCompare(right.owner))
    .map(({ coin }) => coin);
  return named.includes(null) ? 'both coins' : named.join(' and ');
}

/** What the real node asks of a log and this one lacks for good; null where it can be written in the node's form. */
function missingIn(log: SwapLog): string | null {
  try {
    encodeSavedSwap(log, 'kdf');
    return null;
  } catch (error) {
    if (!(error instanceof SwapfoldError) || error.code !== 'KDF_CANNOT_LOAD') throw error;
    return `event ${String(error.facts['seq'])}, ${String(error.facts['event'])}: ${String(error.facts['reason'])}`;
  }
}

function bodyOf(method: string, params: string): string {
  return `{"userpass": "<rpc_password>", "method": "${method}", "params": ${params}}`;
}

/** Why the real node does not read a text that this reader takes, where an export mends it; null where it does. */
function unreadable({ log, replayed }: ExplainFacts): string | null {
  if (!log.roleGiven) return 'its member “type”, which says Maker or Taker, is missing';
  const upcast = replayed.anomalies.find(({ code }) => code === 'SHAPE_UPCAST');
  return upcast === undefined ? null : (upcast.message.split('; the real node refuses it')[0] ?? '');
}

const NOT_FINISHED = 'Swap must be finished before recover funds attempt';

/** What recover_funds_of_swap answers without a look at any chain (stored-swap recovery of the real node, steps 1 to 4); null where it goes on. */
function refusalOf(log: SwapLog): string | null {
  const has = (...types: readonly string[]) => firstEvent(log, ...types) !== undefined;
  if (!has('Finished')) return NOT_FINISHED;
  const refund = firstEvent(log, 'TakerPaymentRefunded', 'TakerPaymentRefundedByWatcher', 'MakerPaymentRefunded');
  const isRefunded = isJsonObject(refund?.data);
  if (log.role === 'taker') {
    if (isRefunded) return 'Taker payment is refunded, swap is not recoverable';
    const isSpent = has('MakerPaymentSpent', 'MakerPaymentSpentByWatcher') && has('MakerPaymentSpendConfirmed');
    if (isSpent) return 'Maker payment is spent and confirmed, swap is not recoverable';
    return has('MakerPaymentReceived') ? null : 'No info about maker payment, swap is not recoverable';
  }
  if (isRefunded) return 'Maker payment is refunded, swap is not recoverable';
  const isSpent = has('TakerPaymentSpent') && has('TakerPaymentSpendConfirmed');
  return isSpent ? 'Taker payment spend transaction has been sent and confirmed' : null;
}
