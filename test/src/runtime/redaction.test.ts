import { describe, expect, it } from 'vitest';
import type { Answer, FaultKind } from '../../../src/ports/chain.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { LogFields } from '../../../src/ports/logger.ts';
import { prometheusMetrics } from '../../../src/runtime/host/metrics-prometheus.ts';
import type { RuntimeChain, RuntimeOptions } from '../../../src/runtime/index.ts';
import { piecesOf, SPELLINGS } from '../../support/quoted-secrets.ts';
import { createPair, type Pair, requestOf, type Side, UUID } from '../../support/swap-pair.ts';

// What an adapter quotes, in every spelling, must not come out anywhere: not in an event, a status, a line of the log, a series or
// an error. What the protocol itself puts into a log (a maker's secret in its start, the bytes of transactions) is not quoted.

const SECRET = '8f3a1c9e77d2b4056e1f9a0c3d5b7e8812f4a6c9d0e3b57a6c8d9e0f1a2b3c4d';
const KEY = 'c1d20b47fe8839a65d70e4b3927f16085ac9e2d841b76f309e5c8a7d1b2f4e63';
const WIF = 'L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1';
const PHRASE = 'zoo zone zero youth young yellow year wrong wrist write wreck worth';
const [PASSWORD, HIDDEN] = ['hunter2', 'opensesame'];

/** Each quotation with what of it must not be seen. */
const QUOTES: readonly (readonly [text: string, forbidden: readonly string[]])[] = [
  ...[SECRET, KEY].flatMap((hex) =>
    Object.values(SPELLINGS).map((spell) => {
      const common = spell('17'.repeat(32));
      return [spell(hex), piecesOf(spell(hex)).filter((piece) => !common.includes(piece))] as const;
    }),
  ),
  [WIF, piecesOf(WIF)],
  [PHRASE, piecesOf(PHRASE)],
  [`http://rpc:${PASSWORD}@127.0.0.1:8332/wallet/${KEY.slice(0, 16)}`, [PASSWORD, KEY.slice(0, 16)]],
  [`rpc:${PASSWORD}@127.0.0.1`, [PASSWORD]],
  [`rpcpassword=${PASSWORD}`, [PASSWORD]],
  [`{"userpass":"${PASSWORD}","method":"sign"}`, [PASSWORD]],
  [
    `Authorization: Basic ${Buffer.from(`rpc:${PASSWORD}`).toString('base64')}`,
    [Buffer.from(`rpc:${PASSWORD}`).toString('base64')],
  ],
  [`it knows ${HIDDEN} and ${Buffer.from(HIDDEN).toString('base64').replace(/=+$/, '')}`, [HIDDEN, 'b3BlbnNlc2FtZ']],
];
const FORBIDDEN = [...new Set(QUOTES.flatMap(([, forbidden]) => forbidden))];

/** The next quotation each time, so that every one is in some answer. */
function quoting() {
  let turn = 0;
  return (): string => {
    const [quote] = QUOTES[turn % QUOTES.length] as (typeof QUOTES)[number];
    turn += 1;
    return `node said: ${quote} (code 7)`;
  };
}

type Fate = (call: {
  readonly op: string;
  readonly side: Side;
  readonly coin: string;
  readonly count: number;
}) => FaultKind | 'throws' | 'problem' | null;

/** The chain, but every so often a fault, a thrown error or a problem that quotes. */
function quotingChain(chain: RuntimeChain, { side, fate, quote }: { side: Side; fate: Fate; quote: () => string }) {
  const counts = new Map<string, number>();
  const wrap =
    <A extends readonly unknown[], T>(op: string, ask: (...given: A) => T) =>
    async (...given: A): Promise<unknown> => {
      const count = (counts.get(op) ?? 0) + 1;
      counts.set(op, count);
      const purpose = (given[0] as { readonly purpose?: string } | undefined)?.purpose;
      const kind = fate({
        op: purpose === undefined ? op : `prepare ${purpose}`,
        side,
        coin: chain.traits.coin,
        count,
      });
      if (kind === null) return ask(...given);
      if (kind === 'throws') {
        throw Object.assign(new TypeError(`${quote()}\n    at ${KEY} (${SECRET}.js:1:1)`), {
          code: SECRET,
          name: `E${KEY}`,
        });
      }
      if (kind !== 'problem') return { ok: false, fault: { kind, message: quote() } } satisfies Answer<never>;
      const answer = (await ask(...given)) as Answer<object>;
      if (!answer.ok) return answer;
      return { ok: true, value: op === 'checkFee' ? quote() : { ...answer.value, problem: quote() } };
    };
  return {
    ...chain,
    quote: wrap('quote', () => chain.quote()),
    payment: wrap('payment', (query: never) => chain.payment(query)),
    transaction: wrap('transaction', (hash: never) => chain.transaction(hash)),
    checkFee: wrap('checkFee', (check: never, about: never) => chain.checkFee(check, about)),
    prepare: wrap('prepare', (request: never, about: never) => chain.prepare(request, about)),
    broadcast: wrap('broadcast', (transaction: never) => chain.broadcast(transaction)),
  } as unknown as RuntimeChain;
}

/** Whatever the two nodes of a run told anybody. */
type Told = { readonly place: string; readonly text: string };

const OF_THE_PROTOCOL = new Set(['secret', 'tx_hex', 'preimages', 'preimage', 'tx']);

/** JSON without the members in which the protocol itself has secrets and bytes. */
function plain(value: unknown): string {
  return JSON.stringify(value, (name, member: unknown) => {
    if (OF_THE_PROTOCOL.has(name) && typeof member === 'string') return undefined;
    return typeof member === 'bigint' ? member.toString() : member;
  });
}

async function tell(pair: Pair, told: Told[]): Promise<void> {
  for (const side of ['maker', 'taker'] as const) {
    for (const { type, data } of await pair.nodes[side].log.read(`${side}-swap/${UUID}`)) {
      told.push({ place: `${side} ${type}`, text: plain(data) });
    }
    const status = await pair.nodes[side].runtime.status(UUID);
    told.push({
      place: `${side} status`,
      text: `${plain(status)} ${status?.error?.stack ?? ''} ${String(status?.error?.cause)}`,
    });
  }
}

type Run = { readonly fate: Fate; readonly minutes?: number; readonly failingLog?: boolean };

async function run({
  fate,
  minutes = 120,
  failingLog = false,
}: Run): Promise<{ told: Told[]; types: readonly string[] }> {
  const told: Told[] = [];
  const quote = quoting();
  const series = prometheusMetrics();
  let appends = 0;
  const failing = (log: EventLog): EventLog => ({
    ...log,
    append: (batch) => {
      appends += 1;
      if (appends % 5 === 0) throw Object.assign(new Error(quote()), { name: KEY, code: SECRET });
      return log.append(batch);
    },
  });
  const line = (side: Side) => (message: string, fields: LogFields) =>
    void told.push({ place: `${side} line`, text: `${message} ${JSON.stringify(fields)}` });
  const options = (side: Side, given: RuntimeOptions): Partial<RuntimeOptions> => ({
    chains: given.chains.map((chain) => quotingChain(chain, { side, fate, quote })),
    logger: { info: line(side), warn: line(side), error: line(side) },
    metrics: series.metrics,
    hide: [HIDDEN],
    ...(failingLog ? { log: failing(given.log) } : {}),
  });
  const pair = createPair({ options });
  for (const side of ['maker', 'taker'] as const) {
    const request = requestOf(side, side === 'maker' ? { secret: SECRET } : {});
    await pair.nodes[side].runtime.startSwap(request).catch((error: Error) => {
      told.push({ place: `${side} start`, text: `${error.stack} ${String(error.cause)}` });
    });
  }
  for (let minute = 0; minute < minutes; minute++) {
    await pair.minutes(1);
    if (minute % 4 === 0) await tell(pair, told);
    if (pair.types('maker').includes('Finished') && pair.types('taker').includes('Finished')) break;
  }
  await tell(pair, told);
  told.push({ place: 'metrics', text: await series.text() });
  return { told, types: [...pair.types('maker'), ...pair.types('taker')] };
}

/** What stands in a text in JSON is there escaped once more. */
const spelledIn = (text: string) => [text, JSON.stringify(text).slice(1, -1)];

function found(told: readonly Told[]): readonly { readonly place: string; readonly piece: string }[] {
  const seen = new Map<string, string>();
  for (const { place, text } of told) {
    for (const piece of FORBIDDEN) if (spelledIn(piece).some((one) => text.includes(one))) seen.set(place, piece);
  }
  return [...seen].map(([place, piece]) => ({ place, piece }));
}

const quoted = (told: readonly Told[], place: string) =>
  told.some((one) => one.place === place && one.text.includes('node said: ') && one.text.includes('[redacted]'));

describe('what an adapter quotes appears nowhere', () => {
  it('while every second answer is a fault of any kind, in a successful swap', async () => {
    const kinds: readonly FaultKind[] = ['unavailable', 'disagreement', 'feeTooLow', 'notFinal', 'tooManyAncestors'];
    const { told, types } = await run({ fate: ({ count }) => (count % 2 === 1 ? (kinds[count % 5] ?? null) : null) });
    expect(types).toContain('MakerPaymentSpendConfirmed');
    expect(found(told)).toEqual([]);
    for (const place of ['maker status', 'taker status', 'maker line', 'taker line'])
      expect([place, quoted(told, place)]).toEqual([place, true]);
    expect(told.some(({ place, text }) => place.endsWith('BroadcastRefused') && text.includes('node said: '))).toBe(
      true,
    );
  });

  it('in the events of a swap that fails for it', async () => {
    const fates: Readonly<Record<string, Fate>> = {
      'taker StartFailed': ({ op, side }) => (op === 'quote' && side === 'taker' ? 'unavailable' : null),
      'taker TakerFeeSendFailed': ({ op }) => (op === 'prepare fee' ? 'unsupported' : null),
      'maker TakerFeeValidateFailed': ({ op }) => (op === 'checkFee' ? 'problem' : null),
      'maker MakerPaymentTransactionFailed': ({ op, side }) =>
        op === 'prepare payment' && side === 'maker' ? 'invalid' : null,
      'taker MakerPaymentValidateFailed': ({ op, side, coin }) =>
        op === 'payment' && side === 'taker' && coin === 'DOC' ? 'problem' : null,
    };
    for (const [place, fate] of Object.entries(fates)) {
      const { told } = await run({ fate });
      expect([place, quoted(told, place)]).toEqual([place, true]);
      expect([place, found(told)]).toEqual([place, []]);
    }
  });

  it('if it throws, with secrets in its name, its code and a line of its stack', async () => {
    const { told, types } = await run({ fate: ({ count }) => (count % 3 === 1 ? 'throws' : null) });
    expect(types).toContain('MakerPaymentSpendConfirmed');
    expect(found(told)).toEqual([]);
    expect(told.some(({ text }) => text.includes('a chain adapter threw'))).toBe(true);
  });

  it('if the log throws', async () => {
    const { told } = await run({ fate: () => null, failingLog: true });
    expect(found(told)).toEqual([]);
    expect(told.some(({ text }) => text.includes('log unavailable'))).toBe(true);
  });

  it('and every quotation was in some answer', async () => {
    const seen = new Set<string>();
    const quote = quoting();
    for (let turn = 0; turn < QUOTES.length; turn++) seen.add(quote());
    expect(seen.size).toBe(QUOTES.length);
    // The scanner sees each of them where nobody took it out.
    for (const [text, forbidden] of QUOTES) {
      expect(forbidden.length).toBeGreaterThan(0);
      expect(found([{ place: 'here', text: JSON.stringify({ message: `node said: ${text}` }) }])).not.toEqual([]);
    }
  });
});

describe('a text that names what the swap knows', () => {
  const other = '6f0e3a2c-3b1e-4f0a-9d58-0f7e5a0d6b11';

  /** What the maker's log holds of the refusal of its first broadcast. */
  async function refusalOf(
    wordsOf: (id: string) => string,
  ): Promise<{ readonly id: string; readonly message: string }> {
    let refused: string | null = null;
    const pair = createPair({
      options: (side, given) => ({
        chains: given.chains.map((chain) => ({
          ...chain,
          broadcast: async (transaction) => {
            if (side === 'taker' || refused !== null) return chain.broadcast(transaction);
            refused = transaction.tx_hash;
            return { ok: false, fault: { kind: 'feeTooLow', message: wordsOf(transaction.tx_hash) } };
          },
        })),
      }),
    });
    await pair.nodes.maker.runtime.startSwap(requestOf('maker', { uuid: other, secret: SECRET }));
    for (const side of ['maker', 'taker'] as const) await pair.nodes[side].runtime.startSwap(requestOf(side));
    expect(await pair.until(() => pair.types('taker').includes('Finished'), 120)).toBe(true);
    const records = await pair.nodes.maker.log.read(`maker-swap/${UUID}`);
    const { data } = records.find(({ type }) => type === 'BroadcastRefused') ?? {};
    return { id: refused ?? '', message: (data as { readonly message: string }).message };
  }

  it('Z5: keeps its ids, and no others', async () => {
    const { id, message } = await refusalOf((hash) => `${hash}:0 of ${UUID} is below ${'9d'.repeat(32)}`);
    expect(message).toBe(`${id}:0 of ${UUID} is below [redacted]`);
  });

  it('Z4: is not shown if it holds the secret of another swap, in any pieces', async () => {
    const pieces = SECRET.match(/.{3}/g)?.join('. ~~ - ') ?? '';
    expect((await refusalOf((hash) => `${hash}: ${pieces}`)).message).toBe('[redacted]');
  });
});
