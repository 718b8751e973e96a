/** An unconfirmed transaction as a miner weighs it. */
export type Weighed = {
  readonly txid: string;
  /** In base units. */
  readonly fee: bigint;
  /** Bytes that it takes of the block, above 0. */
  readonly size: number;
  /** Signature checks that it asks for. */
  readonly checks: number;
  /** Ids of the unconfirmed transactions that must precede it. */
  readonly parents: ReadonlySet<string>;
};

export type Room = {
  /** Bytes. */
  readonly room: number;
  /** Signature checks. */
  readonly checks: number;
  /** Minimum base units for 1,000 bytes. @defaultValue 0n */
  readonly least?: bigint;
};

/** A transaction with all ancestors that are not yet included. */
type Package = {
  readonly of: Weighed;
  readonly parts: readonly Weighed[];
  readonly fee: bigint;
  readonly size: number;
  readonly checks: number;
};

/**
 * Ids of the transactions that a miner includes, as Bitcoin's nodes do: repeatedly the package with the highest fee rate, where a transaction counts
 * at most at its own rate. So a child pays for its parents, and a parent for no child.
 */
export function chooseByPackage(waiting: readonly Weighed[], { room, checks, least = 0n }: Room): ReadonlySet<string> {
  const family = familyOf(waiting);
  const chosen = new Set<string>();
  const ranked = waiting.map((each) => packageOf(each, family, chosen)).sort(byRate);
  const changed = new Map<string, Package>();
  let left = room;
  let checksLeft = checks;
  for (let place = 0; ; ) {
    while (place < ranked.length && isPassed(ranked[place], { chosen, changed })) place += 1;
    const next = best(ranked[place], changed);
    if (next === undefined || next.fee * 1000n < least * BigInt(next.size)) return chosen;
    if (next === ranked[place]) place += 1;
    changed.delete(next.of.txid);
    if (next.size > left || next.checks > checksLeft) continue;
    left -= next.size;
    checksLeft -= next.checks;
    for (const { txid } of next.parts) {
      chosen.add(txid);
      changed.delete(txid);
    }
    const below = new Set(next.parts.flatMap(({ txid }) => descendantsOf(txid, family)));
    for (const each of below) {
      if (!chosen.has(each.txid)) changed.set(each.txid, packageOf(each, family, chosen));
    }
  }
}

type Family = { readonly byId: ReadonlyMap<string, Weighed>; readonly children: ReadonlyMap<string, Weighed[]> };

function familyOf(waiting: readonly Weighed[]): Family {
  const children = new Map<string, Weighed[]>();
  for (const each of waiting) {
    for (const parent of each.parents) children.set(parent, [...(children.get(parent) ?? []), each]);
  }
  return { byId: new Map(waiting.map((each) => [each.txid, each])), children };
}

function packageOf(of: Weighed, { byId }: Family, chosen: ReadonlySet<string>): Package {
  const parts = reached(of, ({ parents }) =>
    [...parents].flatMap((id) => (chosen.has(id) ? [] : (byId.get(id) ?? []))),
  );
  const sum = { fee: 0n, size: 0, checks: 0 };
  for (const { fee, size, checks } of parts) {
    sum.fee += fee;
    sum.size += size;
    sum.checks += checks;
  }
  return { of, parts, ...sum };
}

function descendantsOf(txid: string, { byId, children }: Family): readonly Weighed[] {
  const from = byId.get(txid);
  return from === undefined ? [] : reached(from, (each) => children.get(each.txid) ?? []);
}

function reached(from: Weighed, next: (each: Weighed) => readonly Weighed[]): readonly Weighed[] {
  const found = new Set([from]);
  for (const each of found) for (const other of next(each)) found.add(other);
  return [...found];
}

type Taken = { readonly chosen: ReadonlySet<string>; readonly changed: ReadonlyMap<string, Package> };

/** Whether a package is already included, or has another weight by now. */
function isPassed(ranked: Package | undefined, { chosen, changed }: Taken): boolean {
  if (ranked === undefined) return true;
  return changed.has(ranked.of.txid) || ranked.parts.some(({ txid }) => chosen.has(txid));
}

function best(ranked: Package | undefined, changed: ReadonlyMap<string, Package>): Package | undefined {
  let found = ranked;
  for (const each of changed.values()) if (found === undefined || byRate(each, found) < 0) found = each;
  return found;
}

/** The higher fee rate first: a transaction's own or its package's, whichever is lower. */
function byRate(left: Package, right: Package): number {
  const [first, second] = [rateOf(left), rateOf(right)];
  const difference = second.fee * BigInt(first.size) - first.fee * BigInt(second.size);
  return difference === 0n ? 0 : difference > 0n ? 1 : -1;
}

function rateOf({ of, fee, size }: Package): { readonly fee: bigint; readonly size: number } {
  return of.fee * BigInt(size) < fee * BigInt(of.size) ? of : { fee, size };
}
