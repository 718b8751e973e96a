import { withoutCredentials } from '../../../events/enable-eth-request.ts';
import type { EvmNft } from '../../../ports/evm-activator.ts';
import type { NftFault, NftProvider, NftsAnswer, NftsAsked } from '../../../ports/nft-provider.ts';
import { isJsonObject, type JsonValue, parseJson } from '../../../primitives/json.ts';
import { redactText } from '../../../primitives/redact-text.ts';
import { BodyTooLong, textWithin } from '../../accounts/body.ts';
import { httpPlace } from '../../accounts/http-place.ts';
import { BadItem, nftOf } from './items.ts';
import { timeLimit } from './time-limit.ts';

export type NftProviderOptions = {
  /** For one page, in milliseconds. @defaultValue 20,000 */
  readonly pageMs?: number;
  /** For all pages together, in milliseconds. @defaultValue 120,000 */
  readonly allMs?: number;
  /** Longest page, in bytes. @defaultValue 8,000,000 */
  readonly mostBytes?: number;
  /** @defaultValue 500 */
  readonly mostPages?: number;
  /** Most collectibles of one account. @defaultValue 20,000 */
  readonly mostItems?: number;
};

type Bounds = Required<NftProviderOptions>;

const USUAL: Bounds = {
  pageMs: 20_000,
  allMs: 120_000,
  mostBytes: 8_000_000,
  mostPages: 500,
  mostItems: 20_000,
};

/**
 * A provider with the interface of Moralis, over HTTP (as in the real node). All its answers are bounded.
 *
 * @example
 * ```ts
 * import { millisOf, Secret } from 'swapfold';
 * import { createNftProvider } from 'swapfold/node';
 * import { listenFramework } from 'swapfold/rpc';
 * import { createVirtualClock } from 'swapfold/testing';
 *
 * const owner = '0x0000000000000000000000000000000000000001';
 * const token_address = `0x${'Aa'.repeat(20)}`;
 * const token = { token_address, token_id: '12', amount: '2', contract_type: 'ERC1155' };
 * const body = JSON.stringify({ result: [{ ...token, owner_of: owner, block_number: '1' }] });
 * const answer = async () => ({ status: 200, body });
 * const clock = createVirtualClock(millisOf(1_764_000_000_000));
 * const service = await listenFramework({ answer, clock, port: 0 });
 * const url = new Secret(`http://127.0.0.1:${service.port}`);
 * const found = await createNftProvider().nftsOf({ url, chain: 'POLYGON', owner });
 * found.ok && found.value[`${token_address.toLowerCase()},12`]?.amount; // → '2'
 * await service.close();
 * ```
 */
export function createNftProvider(options: NftProviderOptions = {}): NftProvider {
  const bounds = { ...USUAL, ...options };
  return {
    async nftsOf(asked) {
      const limit = timeLimit(bounds.allMs, asked.signal);
      try {
        return { ok: true, value: await allOf(asked, { bounds, ended: limit.signal }) };
      } catch (error) {
        if (asked.signal?.aborted === true) return failed({ kind: 'aborted', message: 'The request was cancelled' });
        if (error instanceof Faulty) return failed(error.fault);
        throw error;
      } finally {
        limit.over();
      }
    },
  };
}

function failed(fault: NftFault): NftsAnswer {
  return { ok: false, fault };
}

class Faulty extends Error {
  readonly fault: NftFault;

  constructor(fault: NftFault) {
    super(fault.message);
    this.fault = fault;
  }
}

function transport(message: string): Faulty {
  return new Faulty({ kind: 'transport', message });
}

type Asking = { readonly bounds: Bounds; readonly ended: AbortSignal };

/** @throws Faulty */
async function allOf({ url, chain, owner }: NftsAsked, { bounds, ended }: Asking): Promise<Record<string, EvmNft>> {
  const { mostPages, mostItems } = bounds;
  const account = owner.toLowerCase();
  const place = placeOf(url.reveal(), { account, chain });
  // Without a prototype: no text of a provider names a member of one.
  const found: Record<string, EvmNft> = Object.create(null);
  const cursors = new Set<string>();
  let seen = 0;
  let cursor: string | null = null;
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await pageOf(place, { cursor, bounds, ended });
    const items: readonly JsonValue[] = Array.isArray(answer['result']) ? answer['result'] : [];
    seen += items.length;
    if (seen > mostItems) throw transport(`${place.name} lists more than ${mostItems} collectibles`);
    for (const item of items) {
      const nft = readItem(item, { chain, owner: account });
      if (nft !== null) found[`${nft.token_address},${nft.token_id}`] = nft;
    }
    const { cursor: next = null } = answer;
    if (typeof next !== 'string' || next === '') return { ...found };
    if (cursors.has(next)) throw transport(`${place.name} names the same page again`);
    cursors.add(next);
    cursor = next;
  }
  throw transport(`${place.name} has more than ${mostPages} pages`);
}

function readItem(item: JsonValue, of: Parameters<typeof nftOf>[1]): EvmNft | null {
  try {
    return nftOf(item, of);
  } catch (error) {
    if (error instanceof BadItem) throw transport(error.message);
    throw error;
  }
}

type Place = {
  /** The texts that name it. */
  readonly name: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
};

function placeOf(given: string, { account, chain }: { readonly account: string; readonly chain: string }): Place {
  const { headers, ...place } = httpPlace(given);
  const url = new URL(place.url);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/api/v2/${account}/nft`;
  url.searchParams.set('chain', chain);
  url.searchParams.set('format', 'decimal');
  return { name: withoutCredentials(given), url, headers: { accept: 'application/json', ...headers } };
}

type Paging = Asking & { readonly cursor: string | null };
type Page = Readonly<Record<string, JsonValue | undefined>>;

/** @throws Faulty */
async function pageOf({ name, url, headers }: Place, { cursor, bounds, ended }: Paging): Promise<Page> {
  const page = new URL(url);
  if (cursor !== null) page.searchParams.set('cursor', cursor);
  const { signal, over } = timeLimit(bounds.pageMs, ended);
  const { status, text } = await asked(name, async () => {
    // A redirect may lead anywhere, even into the network of this host.
    const response = await fetch(page, { headers, signal, redirect: 'manual' });
    return { status: response.status, text: await textWithin(response, bounds.mostBytes) };
  }).finally(over);
  const answer = jsonOf(text);
  if (status < 200 || status > 299) {
    throw transport(`Status code not in 2xx range from ${name}: ${status}, ${redactText(text, { most: 200 })}`);
  }
  return isJsonObject(answer) ? answer : {};
}

/** A connection error may quote the URL with a password: report only its kind. */
async function asked<T>(name: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw transport(`Transport '${name}' error: ${whyOf(error)}`);
  }
}

function whyOf(error: unknown): string {
  if (error instanceof BodyTooLong) return 'the answer is too long';
  const { name, cause } = (error ?? {}) as { readonly name?: unknown; readonly cause?: unknown };
  if (name === 'TimeoutError') return 'no answer in time';
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^[A-Z_]{3,40}$/.test(code) ? code : 'the connection failed';
}

/** Whatever the status: the real node reads the answer first. @throws Faulty */
function jsonOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    throw new Faulty({ kind: 'internal', message: 'Internal error: the answer of the NFT provider is not JSON' });
  }
}
