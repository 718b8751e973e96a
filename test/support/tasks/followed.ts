import { frameReader } from '../event-frames.ts';

type Status = { readonly status: string; readonly details: unknown };

/** What is pushed of the tasks of a client: every status by its detail, and how they end. */
export type Followed = {
  readonly seen: readonly string[];
  /** Reads on until one of these has come, and says which. @throws where the stream ends before */
  readonly until: (...statuses: readonly string[]) => Promise<string>;
  readonly cut: () => Promise<void>;
};

export async function followed(
  url: string,
  { client, password }: { client: number; password: string },
): Promise<Followed> {
  const headers = { authorization: `Bearer ${password}` };
  const response = await fetch(new URL(`event-stream?id=${client}`, url), { headers });
  const reader = frameReader(response.body as ReadableStream<Uint8Array>);
  const seen: string[] = [];
  let told = 0;
  return {
    seen,
    async until(...statuses) {
      for (;;) {
        for (; told < seen.length; ) {
          const status = seen[told] as string;
          told += 1;
          if (statuses.includes(status)) return status;
        }
        const frames = await reader.next();
        if (frames === null) throw new Error(`the stream ended after ${seen.join(', ')}`);
        for (const { data } of frames) {
          if (!data._type.startsWith('TASK:')) continue;
          const { status, details } = data.message as Status;
          seen.push(typeof details === 'string' ? details : status);
        }
      }
    },
    cut: () => reader.cut(),
  };
}
