import { catalog, type Role } from '../../events/catalog.ts';

type Members = {
  /** Names of the members of each event's payload. */
  readonly byType: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of the members of all payloads of both roles. */
  readonly all: ReadonlySet<string>;
};

const byRole = new Map<Role, Members>();

/** The names of the members that the events of a role have. */
export function payloadMembers(role: Role): Members {
  const known = byRole.get(role);
  if (known !== undefined) return known;
  const members = { byType: namesByType(role), all: new Set<string>() };
  for (const each of ['maker', 'taker'] as const) {
    for (const names of namesByType(each).values()) for (const name of names) members.all.add(name);
  }
  byRole.set(role, members);
  return members;
}

function namesByType(role: Role): Map<string, ReadonlySet<string>> {
  return new Map([...catalog[role]].map(([type, { payload }]) => [type, new Set(shapeNames(payload as Schema))]));
}

type Schema = {
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly def?: { readonly in?: Schema; readonly innerType?: Schema };
};

/** Members of an object schema, also inside of options and pipes. */
function shapeNames(schema: Schema | undefined): readonly string[] {
  if (schema === undefined) return [];
  if (schema.shape !== undefined) return Object.keys(schema.shape);
  return shapeNames(schema.def?.innerType ?? schema.def?.in);
}
