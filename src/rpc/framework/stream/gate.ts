/** A body that is written by somebody who wants to know when it was read. */
export function createGate(waiting: number) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let onRead: (() => void) | null = null;
  let cancelled = (): void => {};
  let over = false;
  const open = (): void => {
    onRead?.();
    onRead = null;
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
      },
      pull: open,
      cancel() {
        over = true;
        cancelled();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: waiting }),
  );
  const isOpen = (): boolean => (controller?.desiredSize ?? 0) > 0;
  const finish = (how: (target: ReadableStreamDefaultController<Uint8Array>) => void): void => {
    if (!over && controller !== undefined) how(controller);
    over = true;
  };
  return {
    body,
    isOpen,
    open,
    push(frame: Uint8Array): void {
      if (!over) controller?.enqueue(frame);
    },
    /** When there is room again, or the end has come. */
    async passed(): Promise<void> {
      if (over || isOpen()) return;
      await new Promise<void>((resolve) => {
        onRead = resolve;
      });
    },
    onCancel(action: () => void): void {
      cancelled = action;
    },
    close: () => finish((target) => target.close()),
    fail: () => finish((target) => target.error(new Error('the client does not read'))),
  };
}
