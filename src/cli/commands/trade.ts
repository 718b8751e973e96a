import { endOfProcess } from '../end-of-process.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { createOutput } from '../output.ts';
import { styleOf } from '../render/text.ts';
import { sceneText } from '../render/trade.ts';
import { jsonLine } from '../rows.ts';
import { usualAnvil } from '../trade/anvil.ts';
import type { OtherChains } from '../trade/chains.ts';
import { type PlayName, play, USUAL_LOCK } from '../trade/play.ts';
import type { Scene } from '../trade/scene.ts';

export type TradeOptions = {
  readonly play?: PlayName;
  /** Seconds. */
  readonly lock?: number;
  /** On two chains of Litecoin Core; true for the program where Debian has it. */
  readonly litecoin?: string | boolean;
  /** On a chain of this package and one of anvil; true for the program where npm or the path has it. */
  readonly evm?: string | boolean;
  readonly json?: boolean;
};

const LITECOIND = '/usr/lib/litecoin/litecoind';

/** `swapfold trade`: two trading nodes that swap over a network, played with processes that really run and really die. */
export async function tradeCommand({
  io,
  litecoin = false,
  evm = false,
  json = false,
  play: name = 'swap',
  lock = USUAL_LOCK,
}: TradeOptions & { readonly io: CliIo }): Promise<ExitCode> {
  const output = createOutput(io.stdout);
  const began = performance.now();
  const style = styleOf(io);
  const show = (scene: Scene): void => {
    if (io.verbosity === 'quiet' && !json && scene.kind !== 'end') return;
    const seconds = (performance.now() - began) / 1000;
    const row = { seconds: Number(seconds.toFixed(1)), ...scene };
    output.put(json ? jsonLine(row) : `${sceneText(scene, { ...style, seconds })}\n`);
    // Told as it happens, also to a pipe. A reader that went away is told of with the next scene.
    output.flush().catch(() => {});
  };
  const ending = endOfProcess();
  try {
    const sound = await play({
      name,
      lock,
      show,
      ended: ending.ended,
      other: otherChains({ litecoin, evm }),
    });
    return sound ? EXIT.ok : EXIT.findings;
  } finally {
    ending.release();
    await output.flush();
  }
}

function otherChains({ litecoin, evm }: Required<Pick<TradeOptions, 'litecoin' | 'evm'>>): OtherChains | undefined {
  if (evm !== false) return { evm: evm === true ? usualAnvil() : evm };
  if (litecoin === false) return undefined;
  return { litecoin: litecoin === true ? LITECOIND : litecoin };
}
