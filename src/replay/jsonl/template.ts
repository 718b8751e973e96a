import type { z } from 'zod';
import { decimal, flag, hex32, hex33, hexBytes, text, unixSeconds, uuid, whole } from '../../events/fields.ts';

/** What a member's value looks like in a canonical line. */
export type MemberKind =
  | 'text'
  | 'hex'
  | 'hex64'
  | 'hex66'
  | 'decimal'
  | 'whole'
  | 'flag'
  | 'uuid'
  | 'nothing'
  | 'record';

export type TemplateMember = {
  readonly name: string;
  readonly kind: MemberKind;
  /** The value may be null. */
  readonly nullable: boolean;
  /** The member may be absent. */
  readonly optional: boolean;
  /** Members of a nested object. */
  readonly members: readonly TemplateMember[];
};

type Definition = { readonly type: string; readonly in?: z.ZodType; readonly innerType?: z.ZodType };

const LEAVES = new Map<unknown, MemberKind>([
  [text, 'text'],
  [hexBytes, 'hex'],
  [hex32, 'hex64'],
  [hex33, 'hex66'],
  [decimal, 'decimal'],
  [whole, 'whole'],
  [unixSeconds, 'whole'],
  [flag, 'flag'],
  [uuid, 'uuid'],
]);

/**
 * The canonical form of the objects that a schema gives back, read off the schema itself so that the two cannot differ:
 * members in the schema's order. Undefined for a schema that is no object.
 */
export function templateOf(schema: z.ZodType): readonly TemplateMember[] | undefined {
  const shape = (schema as { readonly shape?: Readonly<Record<string, z.ZodType>> }).shape;
  if (shape === undefined) return undefined;
  return Object.entries(shape).map(([name, member]) => templateMember(name, member));
}

function templateMember(name: string, schema: z.ZodType): TemplateMember {
  const optional = (schema.def as Definition).type === 'optional';
  let nullable = false;
  let inner = schema;
  while (!LEAVES.has(inner) && templateOf(inner) === undefined) {
    const { type, innerType, in: input } = inner.def as Definition;
    if (type === 'nullable') nullable = true;
    const next = innerType ?? input;
    // Not a value that the scanner knows: only a null is read quickly.
    if (next === undefined) return { name, kind: 'nothing', nullable: nullable && !optional, optional, members: [] };
    inner = next;
  }
  const kind = LEAVES.get(inner);
  // A null for a member that is left out where it has no value is not how such a member is written.
  const shared = { name, nullable: nullable && !optional, optional };
  return kind === undefined
    ? { ...shared, kind: 'record', members: templateOf(inner) ?? [] }
    : { ...shared, kind, members: [] };
}
