import { z } from 'zod';
import { parseUuid, type Uuid } from '../primitives/ids.ts';
import { numberText, stringifyJson } from '../primitives/json.ts';
import type { Compatibility } from './compatibility.ts';

// The framework reads its requests with serde, whose texts its clients know. These schemas refuse with the same ones.

type Issue = { readonly input?: unknown; readonly path?: readonly PropertyKey[] | undefined };

/** `invalid type: string "0", expected u64`, or `missing field …` where nothing is there. */
function expecting(what: string): { readonly error: (issue: Issue) => string } {
  return { error: (issue) => typeProblem(issue, what) };
}

function typeProblem({ input, path = [] }: Issue, what: string): string {
  return input === undefined
    ? `missing field \`${String(path.at(-1))}\``
    : `invalid type: ${unexpected(input)}, expected ${what}`;
}

/** What a value is, in serde's words. */
function unexpected(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  if (typeof value === 'string') return `string ${stringifyJson(value)}`;
  const number = numberText(value);
  if (number !== undefined) return /^-?\d+$/.test(number) ? `integer \`${number}\`` : `floating point \`${number}\``;
  return Array.isArray(value) ? 'sequence' : 'map';
}

export const text = z.string(expecting('a string'));

export const flag = z.boolean(expecting('a boolean'));

/** A UUID in any spelling that is read. */
export const uuid = text.transform((given, context): Uuid => {
  const found = parseUuid(given);
  if (found !== undefined) return found;
  context.addIssue({ code: 'custom', message: 'UUID parsing failed: it has not the form of one' });
  return z.NEVER;
});

/** A whole number from 0 to 2^bits - 1, and no more than a double holds exactly. */
function unsigned(bits: 8 | 16 | 32 | 64) {
  const name = `u${bits}`;
  const most = bits === 64 ? Number.MAX_SAFE_INTEGER : 2 ** bits - 1;
  const outside = (issue: Issue): string => `invalid value: integer \`${String(issue.input)}\`, expected ${name}`;
  return z.number(expecting(name)).superRefine((value, { addIssue }) => {
    if (!Number.isInteger(value)) addIssue({ code: 'custom', message: typeProblem({ input: value }, name) });
    else if (value < 0 || value > most) addIssue({ code: 'custom', message: outside({ input: value }) });
  });
}

export const u8 = unsigned(8);
export const u32 = unsigned(32);
export const u64 = unsigned(64);

/** One of a few names. */
export function variant<const T extends readonly [string, ...string[]]>(...names: T) {
  return z.enum(names, {
    error: (issue) => (issue.input === undefined ? typeProblem(issue, '') : variantProblem(issue.input, names)),
  });
}

/** The fault of a name that is not one of these. */
export function variantProblem(value: unknown, names: readonly string[]): string {
  return typeof value === 'string'
    ? `unknown variant \`${value}\`, expected ${choice(names)}`
    : memberProblem(value, 'string or map');
}

/** What is wrong with a value that is there and is not what is expected. */
export function memberProblem(value: unknown, what: string): string {
  return typeProblem({ input: value }, what);
}

export function listOf<T extends z.ZodType>(item: T) {
  return z.array(item, expecting('a sequence'));
}

/** Members that it does not name are ignored. */
export function struct<T extends z.ZodRawShape>(name: string, shape: T) {
  return z.object(shape, expecting(`struct ${name}`));
}

/** A member that it does not name is refused. */
export function strictStruct<T extends z.ZodRawShape>(name: string, shape: T) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown field \`${String(issue.keys[0])}\`, expected ${choice(Object.keys(shape))}`
        : typeProblem(issue, `struct ${name}`),
  });
}

/** Null and absent mean none. */
export function option<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? null);
}

function choice(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  if (quoted.length === 1) return String(quoted[0]);
  return quoted.length === 2 ? quoted.join(' or ') : `one of ${quoted.join(', ')}`;
}

/** What serde would say of a value, or the value as the schema reads it. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string; readonly path: readonly PropertyKey[] };

/** Reads a value by a schema of this file; of several problems, it reports the first. */
export function readAs<T>(schema: z.ZodType<T>, value: unknown): Read<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const first = firstOf(parsed.error.issues);
  return { ok: false, problem: first?.message ?? 'invalid value', path: first?.path ?? [] };
}

/** An unknown member comes first: nothing else would reveal a misspelt optional one. */
function firstOf(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  return issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
}

/** A problem behind the member that has it, from the first name on, as in `params.nodes[0].url: missing field …`. */
export function atMember(problem: string, path: readonly PropertyKey[]): string {
  const [root = '', ...members] = path;
  const name = members.map((member) => (typeof member === 'number' ? `[${member}]` : `.${String(member)}`)).join('');
  // Some texts begin with the name already, or with as much of it as their reader knows.
  const known = [members.map(String).join('.'), String(path.at(-1))].find((each) => problem.startsWith(`${each}: `));
  return `${String(root)}${name}: ${known === undefined ? problem : problem.slice(known.length + 2)}`;
}

type Refused = Pick<Extract<Read<unknown>, { readonly ok: false }>, 'problem' | 'path'>;

/** Whether a member of the outermost value is missing, which the text says already. */
export function isMissing({ problem, path }: Refused): boolean {
  return path.length === 1 && problem === `missing field \`${String(path[0])}\``;
}

type InMember = {
  readonly problem: string;
  readonly path: readonly PropertyKey[];
  readonly compatibility: Compatibility;
};

/** The same of a member of a legacy request. The real node names no member. */
export function inMember(name: string, { problem, path, compatibility }: InMember): string {
  return compatibility === 'kdf' ? problem : atMember(problem, [name, ...path]);
}
