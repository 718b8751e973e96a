import type { ElectrumAnswer, ElectrumCall } from './connection.ts';

/** One server that can be asked by itself. */
export type ElectrumVoice = {
  readonly url: string;
  /** @throws ConnectionLost */
  readonly batch: (calls: readonly ElectrumCall[]) => Promise<readonly ElectrumAnswer[]>;
};

/** What one server has said. */
export type Told = { readonly voice: ElectrumVoice; readonly answers: readonly ElectrumAnswer[] };

/** Several servers that are asked the same, so that money depends on no single one. */
export type Panel = {
  /** How many must say the same before anything is settled: 2 where more than one server is configured. */
  readonly quorum: number;
  /**
   * Asks as many as the quorum, the best first and others in the place of those that are slow, or all that are connected. Fewer
   * answers come where fewer are there.
   *
   * @throws BackendSilent when none answers
   */
  readonly survey: (calls: readonly ElectrumCall[], of: 'quorum' | 'all') => Promise<readonly Told[]>;
  /** A server was found to say what is not so: it is let go, told to whoever listens, and left alone for a while. */
  readonly distrust: (url: string, why: string) => void;
};

/** Whoever answers calls of the Electrum protocol. */
export type ElectrumBackend = {
  readonly batch: (calls: readonly ElectrumCall[]) => Promise<readonly ElectrumAnswer[]>;
  /** Called when a server has said something of its own accord. */
  readonly onNews: (told: () => void) => { readonly close: () => void };
  /** @defaultValue one server, that of `batch`, which is believed */
  readonly panel?: Panel;
};

/** What a server says contradicts what is proven. */
export class VoiceAtFault extends Error {
  readonly url: string;

  constructor({ url }: Pick<ElectrumVoice, 'url'>, why: string) {
    super(`${url} ${why}`);
    this.url = url;
  }
}

/** Something changed between two questions: the whole look is made again. */
export class Unsteady extends Error {}

/** The panel of a backend; of one without, a panel of one. */
export function panelOf({ batch, panel }: ElectrumBackend): Panel {
  const voice: ElectrumVoice = { url: 'an Electrum server', batch };
  return (
    panel ?? {
      quorum: 1,
      survey: async (calls) => [{ voice, answers: await batch(calls) }],
      distrust() {},
    }
  );
}
