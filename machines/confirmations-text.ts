/** The count of confirmations, or "those agreed on" if the count is unknown. */
export function confirmationsText(count: number | undefined): string {
  if (count === undefined) return 'the confirmations';
  return count === 1 ? '1 confirmation' : `${count} confirmations`;
}
