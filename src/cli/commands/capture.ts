import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { asFileError } from '../../log/files/file-error.ts';
import { type CaptureReport, createCaptureReader } from '../../peers/libp2p/read-capture.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { createOutput } from '../output.ts';
import { captureText, hasFindings } from '../render/capture.ts';
import { styleOf } from '../render/text.ts';
import { jsonLine } from '../rows.ts';

export type CaptureCommandOptions = { readonly json?: boolean };

/** `swapfold capture`: what a recording of the network says of it. */
export async function captureCommand(
  file: string,
  { io, json = false }: CaptureCommandOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  const report = await readCapture(file);
  const output = createOutput(io.stdout);
  await output.write(json ? jsonLine(report) : captureText(report, styleOf(io)));
  await output.flush();
  return hasFindings(report) ? EXIT.findings : EXIT.ok;
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
