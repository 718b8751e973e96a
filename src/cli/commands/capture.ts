import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { asFileError } from '../../log/file-error.ts';
import { type CaptureReport, createCaptureReader } from '../../peers/libp2p/read-capture.ts';
import type { Seconds } from '../../primitives/time.ts';
import { systemClock } from '../../runtime/host/clock-system.ts';
import { type CaptureSession, recordSession } from '../capture-session.ts';
import { commandLogger } from '../command-logger.ts';
import { endOfProcess } from '../end-of-process.ts';
import { type CliIo, EXIT, type ExitCode, UsageError } from '../io.ts';
import { createOutput } from '../output.ts';
import { captureText, hasFindings } from '../render/capture.ts';
import { styleOf } from '../render/text.ts';
import { jsonLine } from '../rows.ts';
import { detail } from '../voice.ts';

export type CaptureCommandOptions = {
  readonly json?: boolean;
  /** Seed nodes to make the recording with; without any it is there already. */
  readonly seed?: readonly string[];
  readonly netid?: number;
  readonly topic?: readonly string[];
  readonly seconds?: number;
};

/** `swapfold capture`: what a recording of the network says of it. */
export async function captureCommand(
  file: string,
  { io, json = false, seed = [], netid = 0, topic = [], seconds = 300 }: CaptureCommandOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  if (seed.length > 0) {
    await record(file, { io, seeds: seed, netid, topics: topic, lasts: seconds as Seconds });
  } else if (topic.length > 0) {
    throw new UsageError('--topic is for a recording that --seed makes');
  }
  const report = await readCapture(file);
  detail(io, `read ${file}`);
  const output = createOutput(io.stdout);
  await output.write(json ? jsonLine(report) : captureText(report, styleOf(io)));
  await output.flush();
  return hasFindings(report) ? EXIT.findings : EXIT.ok;
}

type Recording = Pick<CaptureSession, 'seeds' | 'netid' | 'topics' | 'lasts'> & { readonly io: CliIo };

/** Until its time is over, a signal comes, or the recording can hold no more. */
async function record(file: string, { io, ...session }: Recording): Promise<void> {
  const logger = await commandLogger(io);
  const ending = endOfProcess();
  try {
    await recordSession(file, { ...session, logger, clock: systemClock(), ended: ending.ended });
  } finally {
    ending.release();
  }
}

async function readCapture(file: string): Promise<CaptureReport> {
  const reader = createCaptureReader();
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line !== '') reader.line(line);
    }
  } catch (error) {
    throw asFileError(error, file);
  }
  return reader.report();
}
