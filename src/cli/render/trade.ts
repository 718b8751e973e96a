import type { Scene } from '../trade/scene.ts';
import { fitted } from './fitted.ts';
import { clean, type Style } from './text.ts';

const TXID = /^[0-9a-f]{64}$/;
const SHOWN_ID = 12;

/** Columns from which a line has room for a whole transaction id. */
const WIDE = 150;

function eventText({ event, detail }: Extract<Scene, { kind: 'event' }>, columns: number): string {
  if (detail === null) return event;
  return `${event.padEnd(34)} ${TXID.test(detail) && columns < WIDE ? detail.slice(0, SHOWN_ID) : detail}`;
}

type Told = Style & { readonly seconds: number };

/** A scene of two trading nodes as it happens, by the seconds since they began. */
export function sceneText(scene: Scene, told: Told): string {
  return fitted(textOf(scene, told), told.columns);
}

function textOf(scene: Scene, { paint, columns, seconds }: Told): string {
  const line = (who: string, text: string) => `${seconds.toFixed(1).padStart(6)} s  ${who.padEnd(5)}  ${clean(text)}`;
  switch (scene.kind) {
    case 'act':
      return `\n${paint.bold(`== ${clean(scene.title)}`)}`;
    case 'line':
      return line(scene.who, scene.text);
    case 'event':
      return line(scene.who, eventText(scene, columns));
    case 'balances': {
      const held = Object.entries(scene.balances).map(([coin, balance]) => `${balance} ${coin}`);
      return line(scene.who, `has ${held.join(' and ')}`);
    }
    case 'end': {
      const counted = Object.entries(scene.payments).map(([coin, count]) => `${count} in ${coin}`);
      const end = scene.sound ? 'Everything went as it should.' : 'Something went wrong: see the lines above.';
      return `\nPayments in blocks: ${counted.join(', ')}. ${end}`;
    }
    default:
      return scene satisfies never;
  }
}
