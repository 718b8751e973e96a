export { type FileCode, FileError } from '../file-error.ts';
export { expandInputs, type InputFile, STDIN } from './inputs.ts';
export type { ReadSwap } from './read-swap.ts';
export { type ReadInputsOptions, type ReadOptions, readInputs, readSwaps } from './read-swaps.ts';
export { MAX_TEXT_BYTES } from './read-text.ts';
export { type ReplayFileOptions, type ReplayFileResult, replayJsonlFile } from './replay-file.ts';
export { createFileWriter, type FileWriter, type WriteOptions, writeFileAtomically } from './write-file.ts';
