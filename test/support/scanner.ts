import { createBase58check } from '@scure/base';
import type { TradingNode } from '../../src/node/node.ts';
import { sha256 } from '../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../src/primitives/hex.ts';
import { isJsonObject } from '../../src/primitives/json.ts';
import { messageReader } from '../../src/rpc/framework/stream/message.ts';
import { secretKeyOfSeed } from '../../src/smartchain/keys/seed.ts';
import { SPELLINGS } from './quoted-secrets.ts';

/** What must not be seen, and by which name a finding tells of it. */
export type Scanner = {
  /** A phrase or a password, never to be seen in any form. */
  readonly hideText: (name: string, text: string) => void;
  /** The phrase of a wallet, with the key that it stands for. */
  readonly hidePhrase: (name: string, phrase: string) => void;
  /** Bytes in hex that are not to be seen until they are published. */
  readonly hideSecret: (name: string, hex: string) => void;
  readonly publish: (hex: string) => void;
  /** Looks at what somebody outside of the node could read. Whatever is wrong with it is kept. */
  readonly see: (channel: string, text: string) => void;
  readonly findings: () => readonly string[];
  /** Fails where something was seen. */
  readonly requireNone: () => void;
};

const base58check = createBase58check(sha256);

/** First bytes of the wallet import format, of Komodo's chains and of Bitcoin. */
const WIF_PREFIXES = [0xbc, 0x80];

export function createScanner(): Scanner {
  const hidden = new Map<string, { readonly name: string; readonly forms: readonly string[] }>();
  const found = new Set<string>();
  const hide = (id: string, name: string, forms: readonly string[]): void => {
    if (!hidden.has(id)) hidden.set(id, { name, forms: [...new Set(forms)] });
  };
  const hideText = (name: string, text: string): void => hide(text, name, textForms(text));
  const hideSecret = (name: string, hex: string): void => {
    if (/^0*$/.test(hex)) return;
    hide(
      hex,
      name,
      Object.values(SPELLINGS).map((spell) => spell(hex)),
    );
  };
  return {
    hideText,
    hideSecret,
    hidePhrase(name, phrase) {
      hideText(name, phrase);
      const key = bytesToHex(secretKeyOfSeed(phrase));
      hideSecret(`the key of ${name}`, key);
      for (const prefix of WIF_PREFIXES) hideText(`the key of ${name}`, wif(prefix, key));
    },
    publish: (hex) => void hidden.delete(hex),
    see(channel, text) {
      for (const { name, forms } of hidden.values()) {
        if (forms.some((form) => text.includes(form))) found.add(`${channel}: ${name}`);
      }
    },
    findings: () => [...found],
    requireNone() {
      if (found.size > 0) throw new Error(`what is to be kept was told:\n${[...found].join('\n')}`);
    },
  };
}

function textForms(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const escaped = JSON.stringify(text).slice(1, -1);
  return [
    text,
    escaped,
    encodeURIComponent(text),
    bytes.toString('base64'),
    bytes.toString('hex'),
    JSON.stringify([...bytes]),
  ];
}

function wif(prefix: number, hex: string): string {
  return base58check.encode(new Uint8Array([prefix, ...hexToBytes(hex), 1]));
}

/**
 * Watches a node: what its event stream would tell of every record as soon as it is durable, and from its log which secrets there are, and when their time
 * has come: a maker shows its secret when it begins to send the claim.
 */
export function watchNode(scanner: Scanner, { log, compatibility }: TradingNode): void {
  const read = messageReader({ log, compatibility });
  const secrets = new Map<string, string>();
  log.subscribe({ after: 0 }, async (entry) => {
    const { stream, type, data } = entry.envelope;
    const { secret, purpose } = isJsonObject(data) ? data : {};
    if (stream.startsWith('maker-swap/') && typeof secret === 'string' && type !== 'TakerPaymentSpent') {
      secrets.set(stream, secret);
      scanner.hideSecret(`the secret of ${stream}`, secret);
    }
    if (type === 'BroadcastAttempted' && purpose === 'claim') scanner.publish(secrets.get(stream) ?? '');
    // A log that is closed meanwhile has nothing more to tell.
    const message = await read(entry).catch(() => null);
    if (message !== null) scanner.see('event stream', JSON.stringify(message));
  });
}
