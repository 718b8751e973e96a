import { isJournalType } from '../../events/journal.ts';
import type { Seconds } from '../../primitives/time.ts';
import { EPOCH } from './scenario.ts';
import type { Observer } from './world.ts';

/** One step of a simulated run, as a line of its timeline. */
export type RunLine = {
  /** Seconds from the start of the world. */
  readonly at: Seconds;
  readonly party: 'maker' | 'taker';
  /** `public` events are those that the real node stores too. */
  readonly kind: 'public' | 'journal' | 'crash' | 'fault';
  readonly text: string;
};

/** Writes down what happens in a run. */
export function runRecorder(): { readonly watch: Observer; readonly lines: RunLine[] } {
  const lines: RunLine[] = [];
  const watch: Observer = {
    appended({ now }, { name }, records) {
      for (const { type, data } of records) {
        const kind = isJournalType(type) ? 'journal' : 'public';
        lines.push({ at: Math.floor(now / 1000) - EPOCH, party: name, kind, text: describe(type, data) });
      }
    },
    answered({ now }, { name }, { command, result }) {
      if (result.ok) return;
      const text = `${command.question.op} on the ${command.leg} chain: ${result.fault.kind}`;
      lines.push({ at: Math.floor(now / 1000) - EPOCH, party: name, kind: 'fault', text });
    },
    crashed({ now }, { name, commands }) {
      const text = `dies at its command ${commands}`;
      lines.push({ at: Math.floor(now / 1000) - EPOCH, party: name, kind: 'crash', text });
    },
  };
  return { watch, lines };
}

function describe(type: string, data: unknown): string {
  const { purpose, error, kind } = (data ?? {}) as { purpose?: string; error?: string; kind?: string };
  const detail = [purpose, kind, error].filter((part) => part !== undefined).join(' ');
  return detail === '' ? type : `${type} (${detail})`;
}
