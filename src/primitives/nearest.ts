const MOST_NEAR = 3;

/** Names that differ by a few typing errors, or that contain the text; nearest first, at most three. */
export function nearest(text: string, names: readonly string[]): readonly string[] {
  const given = text.toLowerCase();
  const most = Math.ceil(given.length * 0.3);
  return names
    .map((name) => ({ name, slips: slipsBetween(given, name.toLowerCase()) }))
    .filter(({ name, slips }) => slips <= most || (given.length > 3 && name.toLowerCase().includes(given)))
    .sort((left, right) => left.slips - right.slips)
    .slice(0, MOST_NEAR)
    .map(({ name }) => name);
}

/** Characters to add, omit or change (Levenshtein distance). */
function slipsBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let other = 1; other <= right.length; other += 1) {
      const change = (row[other - 1] ?? 0) + (left[at - 1] === right[other - 1] ? 0 : 1);
      next.push(Math.min(change, (row[other] ?? 0) + 1, (next[other - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
