/** So many confirmations, or those that were agreed on where their count is not known. */
export function confirmationsText(count: number | undefined): string {
  if (count === undefined) return 'the confirmations';
  return count === 1 ? '1 confirmation' : `${count} confirmations`;
}
