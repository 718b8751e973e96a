/** What the threads that read one file's ranges are given; the bound is in bytes. */
export type ThreadOptions = {
  readonly path: string;
  readonly workers: number;
  readonly maxLineBytes: number;
  readonly ends: boolean;
};
