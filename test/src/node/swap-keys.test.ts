import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { Births } from '../../../src/node/births.ts';
import { walletOfPassphrase } from '../../../src/node/keys.ts';
import { loadSwaps } from '../../../src/node/swap-keys.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { millisOf } from '../../../src/primitives/time.ts';

const NOW = 1_800_000_000_000;
const SWAP = '11111111-2222-4333-8444-555555555555';
const OWN = walletOfPassphrase(new Secret('the wallet of the node'));
const ELSEWHERE = walletOfPassphrase(new Secret('a wallet elsewhere'));
const [own, elsewhere] = [OWN, ELSEWHERE].map(({ coins }) => bytesToHex(coins.key)) as [string, string];

const REQUEST = { uuid: SWAP, maker_coin: 'MAK', taker_coin: 'TAK', my_persistent_pub: own };
const STARTED = { ...REQUEST, started_at: 1_799_999_000, maker_coin_start_block: 70, taker_coin_start_block: 900 };

type Told = readonly [type: string, data: JsonObject];

async function birthsOf(...records: readonly Told[]): Promise<Births> {
  const log = createMemoryLog();
  await log.append({
    stream: `maker-swap/${SWAP}`,
    expected: 0,
    records: records.map(([type, data]) => ({ at: millisOf(NOW - 5000), version: 1, type, data })),
    labels: { makerCoin: 'MAK', takerCoin: 'TAK', finished: false },
  });
  return new Births({ log, now: () => millisOf(NOW), guardFor: 3600 });
}

describe('a coin is not activated under another key than its running swaps have', () => {
  it('even if the node has one key for all coins, and the swap has the key of a remote wallet', async () => {
    const births = await birthsOf(['Started', { ...STARTED, taker_coin_htlc_pubkey: elsewhere }]);
    await expect(loadSwaps('TAK', { births, signer: OWN, byPath: false })).rejects.toMatchObject({
      kind: 'requestInvalid',
      message: `swap ${SWAP} started with another key of TAK; activate the coin with the wallet used then`,
    });
    await loadSwaps('TAK', { births, signer: ELSEWHERE, byPath: true });
    await loadSwaps('MAK', { births, signer: OWN, byPath: false });
    await expect(loadSwaps('MAK', { births, signer: ELSEWHERE, byPath: true })).rejects.toMatchObject({
      message: expect.stringMatching(/^path_to_address: swap .* with the path used then$/),
    });
  });

  it('but is activated if the log names no key, or one in capitals, or if nothing has started yet', async () => {
    const capitals = own.toUpperCase();
    for (const record of [
      ['Started', { ...STARTED, my_persistent_pub: null }],
      ['Started', { ...STARTED, taker_coin_htlc_pubkey: capitals }],
      ['SwapRequested', { ...REQUEST, my_persistent_pub: elsewhere }],
    ] as const)
      await loadSwaps('TAK', { births: await birthsOf(record), signer: OWN, byPath: false });
  });
});

describe('a coin of an EVM chain is not activated over another swap contract than its running swaps have', () => {
  const [PROPOSED, AGREED, OTHER] = ['a1'.repeat(20), 'b2'.repeat(20), 'c3'.repeat(20)] as const;
  const begun = { ...STARTED, taker_coin_swap_contract_address: PROPOSED };
  const agreed = { taker_coin_swap_contract_addr: AGREED.toUpperCase(), maker_coin_swap_contract_addr: null };
  const loading = async (contracts: readonly string[], ...records: readonly Told[]) =>
    loadSwaps('TAK', { births: await birthsOf(...records), signer: OWN, byPath: false, contracts });
  const refused = (contract: string) => ({
    kind: 'requestInvalid',
    message: expect.stringContaining(`swap ${SWAP} of TAK uses the swap contract 0x${contract}`),
  });

  it('as the start says it, or as both sides agreed later', async () => {
    await expect(loading([OTHER], ['Started', begun])).rejects.toMatchObject(refused(PROPOSED));
    await loading([PROPOSED], ['Started', begun]);
    const both = [
      ['Started', begun],
      ['Negotiated', agreed],
    ] as const;
    await expect(loading([PROPOSED], ...both)).rejects.toMatchObject(refused(AGREED));
    await loading([OTHER, AGREED], ...both);
  });

  it('and the report says until when', async () => {
    await expect(loading([OTHER], ['Started', begun])).rejects.toThrow(
      /until the swap is over and its end has been watched$/,
    );
    const log = createMemoryLog();
    await log.append({
      stream: `maker-swap/${SWAP}`,
      expected: 0,
      records: [{ at: millisOf(NOW - 5000), version: 1, type: 'Started', data: begun }],
      labels: { makerCoin: 'MAK', takerCoin: 'TAK', finished: true },
    });
    const births = new Births({ log, now: () => millisOf(NOW), guardFor: 3600 });
    await expect(loadSwaps('TAK', { births, signer: OWN, byPath: false, contracts: [OTHER] })).rejects.toThrow(
      'until 2027-01-15 08:59 UTC: the swap is over, but the node watches its end until then',
    );
  });

  it('nor without any contract, but is activated if its swaps have none', async () => {
    await expect(loading([], ['Started', begun])).rejects.toMatchObject(refused(PROPOSED));
    await loading([OTHER], ['Started', { ...STARTED, maker_coin_swap_contract_address: PROPOSED }]);
    const births = await birthsOf(['Started', begun]);
    await loadSwaps('TAK', { births, signer: OWN, byPath: false });
  });
});
