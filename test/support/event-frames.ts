/** A frame of server-sent events: its id, and what it says. */
export type Frame = {
  readonly id: string | null;
  readonly data: { readonly _type: string; readonly message: unknown };
};

/**
 * A client that puts bytes together as a browser does: a frame counts once the empty line behind it is there.
 *
 * @param lastId the id that it saw last on another connection.
 */
export function frameReader(body: ReadableStream<Uint8Array>, lastId: string | null = null) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const state = { rest: '', lastId, raw: '' };
  return {
    /** The last id that was seen, as it is sent when the client comes back. */
    lastId: () => state.lastId,
    /** All that came, also of frames that are not whole. */
    raw: () => state.raw,
    /** Reads what is there next; null at the end. At most so many bytes of it arrive where the connection breaks. */
    async next(most = Number.POSITIVE_INFINITY): Promise<readonly Frame[] | null> {
      const { done, value } = await reader.read();
      if (done) return null;
      const text = decoder.decode(value.subarray(0, most), { stream: true });
      state.raw += text;
      state.rest += text;
      const frames = state.rest.split('\n\n');
      state.rest = frames.pop() ?? '';
      return frames.flatMap((frame) => {
        const lines = frame.split('\n').map((line) => /^(\w+): (.*)$/.exec(line));
        const of = (name: string) => lines.find((line) => line?.[1] === name)?.[2] ?? null;
        state.lastId = of('id') ?? state.lastId;
        const data = of('data');
        return data === null ? [] : [{ id: of('id'), data: JSON.parse(data) as Frame['data'] }];
      });
    },
    cut: () => reader.cancel(),
  };
}

export type FrameReader = ReturnType<typeof frameReader>;

/** Reads until a frame is of this type; the frames before it are left out. */
export async function frameOfType(reader: FrameReader, type: string): Promise<Frame> {
  for (;;) {
    const frames = await reader.next();
    if (frames === null) throw new Error(`the stream ended before a frame of the type ${type}`);
    const found = frames.find(({ data }) => data._type === type);
    if (found !== undefined) return found;
  }
}
