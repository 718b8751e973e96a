declare const uuid: unique symbol;

/** A swap's id in hyphenated lower-case form, as KDF writes it. */
export type Uuid = string & { readonly [uuid]: true };

const HYPHENATED = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Reads a UUID in any form that KDF reads: hyphenated, 32 hex digits, braced or as a URN, in either case. Undefined for
 * any other text.
 */
export function parseUuid(text: string): Uuid | undefined {
  if (HYPHENATED.test(text)) return text as Uuid;
  if (text.length > 45) return undefined;
  let body = text.toLowerCase();
  if (body.startsWith('urn:uuid:')) body = body.slice(9);
  else if (body.startsWith('{') && body.endsWith('}')) body = body.slice(1, -1);
  if (HYPHENATED.test(body)) return body as Uuid;
  if (!/^[0-9a-f]{32}$/.test(body)) return undefined;
  return [body.slice(0, 8), body.slice(8, 12), body.slice(12, 16), body.slice(16, 20), body.slice(20)].join(
    '-',
  ) as Uuid;
}
