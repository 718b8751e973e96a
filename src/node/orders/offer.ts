import { secp256k1 } from '@noble/curves/secp256k1.js';
import { base64urlnopad } from '@scure/base';
import { z } from 'zod';
import { curve, hasLowS } from '../../curve/index.ts';
import type { ConfirmationSettings } from '../../ports/orders.ts';
import type { Signer } from '../../ports/signer.ts';
import { type Fraction, fractionOf } from '../../primitives/fraction.ts';
import { sha256 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import { parseUuid } from '../../primitives/ids.ts';
import { canonicalJson, parseJson } from '../../primitives/json.ts';
import type { Millis } from '../../primitives/time.ts';
import { fractionToText } from './events.ts';
import { claimOf } from './ids.ts';
import { OrderRefusal } from './refusal.ts';

/** What a maker promises to any taker, or to one taker. Amounts in coin units; `base` is what the maker gives. */
export type Offer = {
  readonly uuid: string;
  /** The maker's signing key, 33 bytes in hex. */
  readonly maker: string;
  readonly base: string;
  readonly rel: string;
  readonly base_amount: Fraction;
  readonly rel_amount: Fraction;
  readonly conf_settings: ConfirmationSettings;
  readonly expires_at: Millis;
  /** The only one who may take it: a signing key without parity in hex. Null for anyone. */
  readonly taker: string | null;
};

const PREFIX = 'swapfold-offer-1';

/** No offer is longer: names and amounts are bounded. */
const LONGEST_OFFER = 4096;

const fraction = z
  .string()
  .regex(/^[1-9]\d{0,99}\/[1-9]\d{0,99}$/)
  .transform((text): Fraction => {
    const [numer = '0', denom = '1'] = text.split('/');
    return fractionOf(BigInt(numer), BigInt(denom));
  });
const ticker = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u);
const count = z.number().int().nonnegative();

const SHAPE = z.strictObject({
  uuid: z.string().refine((text) => parseUuid(text) === text),
  maker: z.string().regex(/^0[23][0-9a-f]{64}$/),
  base: ticker,
  rel: ticker,
  base_amount: fraction,
  rel_amount: fraction,
  conf_settings: z.strictObject({ base_confs: count, base_nota: z.boolean(), rel_confs: count, rel_nota: z.boolean() }),
  expires_at: count.transform((value) => value as Millis),
  taker: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
});

/** The offer as one text that can be handed over anyhow: `swapfold-offer-1.<what is offered>.<the maker's signature>`. */
export async function offerText(offer: Offer, { sign }: Signer): Promise<string> {
  const { base_amount, rel_amount } = offer;
  const amounts = { base_amount: fractionToText(base_amount), rel_amount: fractionToText(rel_amount) };
  const body = base64urlnopad.encode(new TextEncoder().encode(canonicalJson({ ...offer, ...amounts })));
  const signature = await sign(digestOf(body));
  return `${PREFIX}.${body}.${base64urlnopad.encode(signature)}`;
}

/** What a text offers, once its signature holds. @throws OrderRefusal offerInvalid */
export function readOffer(text: string): Offer {
  if (text.length > LONGEST_OFFER) throw refused(`it is longer than ${LONGEST_OFFER} characters`);
  const [prefix, body, signature, ...rest] = text.trim().split('.');
  if (prefix !== PREFIX || body === undefined || signature === undefined || rest.length > 0) {
    throw refused(`it does not have the form ${PREFIX}.<offer>.<signature>`);
  }
  const offer = readBody(body);
  if (!verifies({ body, signature, key: offer.maker })) throw refused("its signature is not its maker's");
  if (claimOf(offer.uuid, withoutParity(offer.maker)) === 'anothers') throw refused('its uuid belongs to another node');
  return offer;
}

function readBody(body: string): Offer {
  let json: unknown;
  try {
    json = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(base64urlnopad.decode(body)));
  } catch {
    throw refused('its body is not JSON in base64url');
  }
  const read = SHAPE.safeParse(json);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw refused(`its member ${String(issue?.path[0] ?? '')} is not valid in an offer`);
}

function verifies({ body, signature, key }: Readonly<Record<'body' | 'signature' | 'key', string>>): boolean {
  try {
    const compact = secp256k1.Signature.fromBytes(base64urlnopad.decode(signature), 'der').toBytes('compact');
    return hasLowS(compact) && curve.verify({ hash: digestOf(body), signature: compact, publicKey: hexToBytes(key) });
  } catch {
    return false;
  }
}

/** What is signed begins with a text that nothing else begins with, so that the signature is good for nothing else. */
function digestOf(body: string): Uint8Array {
  return sha256(new TextEncoder().encode(`${PREFIX}.${body}`));
}

/** The key without its parity byte, as messages are signed by. */
export function withoutParity(key: string): string {
  return key.slice(2);
}

export function keyText({ key }: Signer): string {
  return bytesToHex(key);
}

function refused(why: string): OrderRefusal {
  return new OrderRefusal('offerInvalid', `The offer cannot be taken: ${why}. Ask its maker for the complete text.`);
}
