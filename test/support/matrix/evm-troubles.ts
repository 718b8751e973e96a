import type { LegKeys, Snatched, Troubles } from './chain.ts';
import type { Ask } from './evm-asker.ts';
import type { EvmPlace } from './evm-ledger.ts';
import { accountOf, GWEI, hexOf, mapped, word } from './evm-words.ts';

/** More than any wallet offers on a usual day, in wei. */
const DEAR = 50n * GWEI;
/** Code that gives back what it did not use, and code that uses all. */
const BROKEN = { refusal: '0x60006000fd', gas: '0xfe' } as const;
const CLAIM = '02ed292b';
const ALLOWANCES = 1n;

type Waiting = {
  readonly from: string;
  readonly to: string | null;
  readonly nonce: string;
  readonly gasPrice?: string;
  readonly maxFeePerGas?: string;
};
type Pool = Readonly<Record<string, Readonly<Record<string, Waiting>>>>;

export type Spoiled = {
  readonly place: EvmPlace;
  readonly ask: Ask;
  /** Code of a token of the same layout that moves nothing, or keeps a part of what it moves, as it lies on the chain. */
  readonly spoiltToken: (by: 'pause' | 'tax') => Promise<string>;
};

/** What goes wrong on a chain with accounts alone, done past all rules of the chain but those of its blocks. */
export function troublesOf({ place: { contract, token }, ask, spoiltToken }: Spoiled): Troubles {
  const sound = new Map<string, unknown>();
  const replaceCode = async (address: string, code: string | null): Promise<void> => {
    if (code === null && !sound.has(address)) return;
    if (!sound.has(address)) sound.set(address, await ask('eth_getCode', `0x${address}`, 'latest'));
    await ask('anvil_setCode', `0x${address}`, code ?? sound.get(address));
  };
  /** The first nonce that neither a block nor an earlier theft has, and a price at which a node takes a theft of it. */
  const freeOf = async (from: string): Promise<{ readonly nonce: string; readonly gasPrice: string }> => {
    const { pending } = (await ask('txpool_content')) as { readonly pending: Pool };
    const own = Object.values(pending).flatMap((all) => Object.values(all).filter((each) => each.from === from));
    const stolen = new Set(own.flatMap((each) => (each.to === from ? [Number(each.nonce)] : [])));
    let nonce = Number(await ask('eth_getTransactionCount', from, 'latest'));
    while (stolen.has(nonce)) nonce += 1;
    const held = own.find((each) => Number(each.nonce) === nonce);
    const offered = BigInt(held?.maxFeePerGas ?? held?.gasPrice ?? 0);
    return { nonce: hexOf(nonce), gasPrice: hexOf(offered * 11n > DEAR * 10n ? offered * 2n : DEAR) };
  };
  const send = (transaction: Readonly<Record<string, unknown>>) =>
    ask('eth_sendTransaction', { gasPrice: hexOf(DEAR), ...transaction });
  return {
    break: (by) => replaceCode(contract, by === null ? null : BROKEN[by]),
    async spoil(by) {
      if (token !== null) await replaceCode(token, by === null ? null : await spoiltToken(by));
    },
    async steal(key) {
      const from = `0x${accountOf(key)}`;
      await send({ from, to: from, ...(await freeOf(from)), gas: hexOf(21_000) });
    },
    async disallow(key) {
      const slot = mapped([accountOf(key), contract], ALLOWANCES);
      await ask('anvil_setStorageAt', `0x${token}`, `0x${slot}`, `0x${word(0n)}`);
    },
    async snatch(payment, { maker, taker }: LegKeys) {
      await send({
        from: `0x${accountOf(taker)}`,
        to: `0x${contract}`,
        gas: hexOf(200_000),
        data: `0x${CLAIM}${claimWords(payment, { token: token ?? '', sender: accountOf(maker) })}`,
      });
    },
  };
}

function claimWords(
  { id, value, secret }: Snatched,
  { token, sender }: { readonly token: string; readonly sender: string },
) {
  return [id, word(value), secret, word(token), word(sender)].join('');
}
