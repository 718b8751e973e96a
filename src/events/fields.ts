import { z } from 'zod';
import { type DecimalText, isDecimalText, MAX_DECIMAL_LENGTH, toPlainDecimal } from '../primitives/decimal.ts';
import { isHex } from '../primitives/hex.ts';
import { parseUuid, type Uuid } from '../primitives/ids.ts';
import { LosslessNumber } from '../primitives/json.ts';
import type { UnixSeconds } from '../primitives/time.ts';

// Field schemas of the stored events. Each reads every spelling that KDF reads and gives back one canonical spelling:
// hex in lower case, decimals as text with every digit, ids hyphenated (the reading rules of KDF's saved swaps).

const UPPER = /[A-F]/;

function hexSchema(expected: string, fits: (length: number) => boolean) {
  return z
    .string({ error: (issue) => `expected ${expected}, found ${kindOf(issue.input)}` })
    .refine((text) => fits(text.length) && isHex(text), {
      error: (issue) => `expected ${expected}, found ${describeHex(String(issue.input))}`,
    })
    .overwrite((text) => (UPPER.test(text) ? text.toLowerCase() : text));
}

function describeHex(text: string): string {
  if (text.startsWith('0x')) return `text with the prefix 0x (${text.length} characters)`;
  if (!isHex(text)) return `text that is not hex (${text.length} characters)`;
  return `${text.length} hex digits`;
}

/** Options of a schema of objects. */
export const notAnObject = {
  error: (issue: { readonly input?: unknown }) => `expected an object, found ${kindOf(issue.input)}`,
};

/** An object whose unknown members pass through. */
export function record<T extends z.ZodRawShape>(shape: T) {
  return z.looseObject(shape, notAnObject);
}

export function listOf<T extends z.ZodType>(item: T) {
  return z.array(item, { error: (issue) => `expected an array, found ${kindOf(issue.input)}` });
}

/** Names the JSON kind of a value for an error text, without its content. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof LosslessNumber) return 'a number that a double cannot hold';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Any count of bytes as hex, also none. */
export const hexBytes = hexSchema('bytes as an even count of hex digits', () => true).describe('bytes in hex');
/** 32 bytes as hex: secrets, p2p ids. */
export const hex32 = hexSchema('32 bytes as 64 hex digits', (length) => length === 64).describe('32 bytes in hex');
/** 33 bytes as hex: a compressed secp256k1 key, or zeros where KDF hides it. */
export const hex33 = hexSchema('33 bytes as 66 hex digits', (length) => length === 66).describe('33 bytes in hex');

/** An amount in coin units, given as text or as a JSON number; text with every digit kept. */
export const decimal = z
  .unknown()
  .transform((value, context): DecimalText => {
    const text = value instanceof LosslessNumber ? value.value : typeof value === 'number' ? String(value) : value;
    const finite = typeof value === 'string' || Number.isFinite(Number(text));
    if (typeof text === 'string' && finite && isDecimalText(text)) {
      const plain = toPlainDecimal(text);
      if (plain.length <= MAX_DECIMAL_LENGTH) return plain;
    }
    context.addIssue({ code: 'custom', message: `expected a decimal number, found ${kindOf(value)}` });
    return z.NEVER;
  })
  .describe('decimal in coin units');

/** A whole number from 0 to 2^53 − 1: heights, counts, durations in seconds. */
export const whole = z
  .number({ error: (issue) => `expected a whole number from 0 to 2^53 - 1, found ${kindOf(issue.input)}` })
  .refine((value) => Number.isSafeInteger(value) && value >= 0, {
    error: 'expected a whole number from 0 to 2^53 - 1, found a number outside this range',
  })
  .describe('whole number');

export const unixSeconds = whole.transform((value) => value as UnixSeconds).describe('seconds since 1970');

export const flag = z
  .boolean({ error: (issue) => `expected true or false, found ${kindOf(issue.input)}` })
  .describe('true or false');
export const text = z.string({ error: (issue) => `expected a text, found ${kindOf(issue.input)}` }).describe('text');

/** A swap id in any spelling that KDF reads; hyphenated lower case. */
export const uuid = text
  .transform((value, context): Uuid => {
    const parsed = parseUuid(value);
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: 'custom', message: `expected a UUID, found text of ${value.length} characters` });
    return z.NEVER;
  })
  .describe('UUID');

const byteNumber = z.number().refine((value) => Number.isInteger(value) && value >= 0 && value <= 255, {
  error: 'expected a byte from 0 to 255',
});

/** Bytes as an array of numbers, as KDF stores watcher preimages and the p2p key. */
export const byteNumbers = z
  .array(byteNumber, {
    error: (issue) => `expected an array of byte numbers, found ${kindOf(issue.input)}`,
  })
  .describe('array of byte numbers');

/** Written as null by KDF where there is no value; read as null where the key is absent. */
export function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value): z.output<T> | null => value ?? null);
}

/** Left out by KDF where there is no value; a null is read as absent. */
export function orOmitted<T extends z.ZodType>(schema: T) {
  return schema
    .nullish()
    .transform((value): z.output<T> | undefined => value ?? undefined)
    .optional();
}

type Definition = { readonly innerType?: z.ZodType; readonly in?: z.ZodType };

/** The members of an object schema, looked for inside of options, defaults and pipes; undefined for any other schema. */
export function membersOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined {
  const shape = (schema as { readonly shape?: Readonly<Record<string, z.ZodType>> }).shape;
  if (shape !== undefined) return shape;
  const definition = schema.def as Definition;
  const inner = definition.innerType ?? definition.in;
  return inner === undefined ? undefined : membersOf(inner);
}
