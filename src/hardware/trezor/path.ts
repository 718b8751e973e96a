const PATH = /^m(\/\d{1,10}'?){1,16}$/;
const HARDENED = 0x8000_0000;

/**
 * The numbers of a derivation path such as `m/44'/60'/0'/0/3`, hardened ones with their highest bit set; undefined for
 * any other text.
 */
export function pathNumbers(path: string): readonly number[] | undefined {
  if (!PATH.test(path)) return undefined;
  const steps = path.split('/').slice(1);
  const numbers = steps.map((step) => ({ value: Number.parseInt(step, 10), hardened: step.endsWith("'") }));
  if (numbers.some(({ value }) => value >= HARDENED)) return undefined;
  return numbers.map(({ value, hardened }) => value + (hardened ? HARDENED : 0));
}
