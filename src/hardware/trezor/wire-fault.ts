/** Bytes that are no message; what stood there instead. It leaves a reader, and whoever asked it to read catches it. */
export class WireFault extends Error {
  /** What was found, such as “a number that is cut off”. Never a value. */
  readonly found: string;

  constructor(found: string) {
    super(`the bytes are not a message of a device: ${found}`);
    this.found = found;
  }
}
