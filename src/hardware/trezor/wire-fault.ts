/** Bytes that are not a message, and what they held instead. The caller of a reader catches it. */
export class WireFault extends Error {
  /** What was found, such as “a truncated number”. Never a value. */
  readonly found: string;

  constructor(found: string) {
    super(`the bytes are not a message of a device: ${found}`);
    this.found = found;
  }
}
