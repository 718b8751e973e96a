import type { StoredHtlc } from '../../htlc/tendermint-stored.ts';
import { tendermintId } from '../../htlc/tendermint-transaction.ts';
import type { SignedTransaction } from '../../ports/chain.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import type { Included, TendermintLook } from './reader.ts';
import { callOf, isUnderId, type Named } from './terms.ts';
import { type Made, madeOf } from './transaction.ts';

// The module tells where a payment stands, but not in which transactions it was made and claimed. Nodes name these from their index, which may be
// behind, or pruned; then the block that must hold them is read.

export type Finding = { readonly look: TendermintLook; readonly named: Named; readonly stored: StoredHtlc };

export type Funding = { readonly tx: SignedTransaction; readonly height: number };

type Message = Made['messages'][number];

/** The transaction of a block that made the payment, by its own bytes; null if none is found. `shown`: what is named for it, if anything is. */
export async function fundingOf(finding: Finding, shown: Made | null): Promise<Funding | null> {
  const { look, named } = finding;
  for (const id of await look.search({ kind: 'create', id: named.id })) {
    const included = await look.included(id);
    const made = included?.code === 0 ? madeOf(included.hex) : null;
    if (included !== null && made !== null && makes(made, named)) return { tx: signed(made), height: included.height };
  }
  for (const height of heightsOf(finding, shown)) {
    for (const hex of await contentsOf(look, height)) {
      const made = madeOf(hex);
      if (made !== null && makes(made, named)) return { tx: signed(made), height };
    }
  }
  return null;
}

function makes({ messages }: Made, named: Named): boolean {
  return messages.some((one) => one.kind === 'create' && one.module === named.module && isUnderId(one, named));
}

/** Where the payment was made if its lock has as many blocks as is said of it: the module keeps only the end. */
function heightsOf({ look, named, stored }: Finding, shown: Made | null): readonly number[] {
  const call = shown === null ? null : callOf(shown, named);
  const locks = [call?.kind === 'create' ? Number(call.timeLock) : null, named.blocks];
  const heights = locks.flatMap((blocks) => (blocks === null ? [] : [Number(stored.expirationHeight) - blocks]));
  return [...new Set(heights)].filter((height) => height > 0 && height <= look.head.height);
}

/**
 * The transaction in which the payment was claimed. That it was, the module says, whoever did it and by whatever means: several keys, a key of another
 * kind, or a message within another one. What reads as the claim goes before what only holds the id, and that before the rest of what nodes name.
 */
export async function claimOf(finding: Finding): Promise<SignedTransaction | null> {
  const { look, named, stored } = finding;
  const rest: Included[] = [];
  for (const id of await look.search({ kind: 'claim', id: named.id })) {
    const included = await look.included(id);
    if (included?.code !== 0) continue;
    const made = madeOf(included.hex);
    if (made?.messages.some((message) => isClaim(message, named)) === true) return signed(made);
    if (BigInt(included.height) === stored.closedBlock) rest.push(included);
  }
  const one = rest.find(({ hex }) => spells(hex, named.id)) ?? rest[0];
  if (one !== undefined) return { tx_hex: one.hex, tx_hash: one.id };
  return claimInBlock(finding);
}

/** One that failed may stand in the same block before it, so that one with the secret goes first. */
async function claimInBlock({ look, named, stored }: Finding): Promise<SignedTransaction | null> {
  const all = await contentsOf(look, Number(stored.closedBlock));
  const claims = all.filter((hex) => madeOf(hex)?.messages.some((message) => isClaim(message, named)));
  const hex = claims.find((one) => spells(one, stored.secret)) ?? claims[0] ?? all.find((one) => spells(one, named.id));
  return hex === undefined ? null : { tx_hex: hex, tx_hash: tendermintId(hexToBytes(hex)) };
}

export function isClaim(message: Message, named: Named): boolean {
  return message.kind === 'claim' && message.id.toUpperCase() === named.id;
}

/** Whether bytes hold a text, in either case. */
function spells(hex: string, text: string): boolean {
  const spelt = (words: string) => bytesToHex(new TextEncoder().encode(words));
  return hex.includes(spelt(text.toUpperCase())) || hex.includes(spelt(text.toLowerCase()));
}

/** None where nodes keep that block no longer. */
async function contentsOf(look: TendermintLook, height: number): Promise<readonly string[]> {
  try {
    return await look.contents(height);
  } catch (error) {
    if (error instanceof BackendSilent) return [];
    throw error;
  }
}

function signed({ hex, id }: Made): SignedTransaction {
  return { tx_hex: hex, tx_hash: id };
}
