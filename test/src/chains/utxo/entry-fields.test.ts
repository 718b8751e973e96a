import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CoinEntryError } from '../../../../src/chains/entry-reader.ts';
import { createUtxoChain } from '../../../../src/chains/utxo/adapter.ts';
import { createChainIndex } from '../../../../src/chains/utxo/chain-index.ts';
import { feeLater, type UtxoCoin } from '../../../../src/chains/utxo/coin.ts';
import { readUtxoEntry } from '../../../../src/chains/utxo/coin-entry.ts';
import type { DaemonCall } from '../../../../src/chains/utxo/daemon/client.ts';
import { createDaemonReader } from '../../../../src/chains/utxo/daemon/reader.ts';
import { ENTRY_FIELDS, type EntryFieldName } from '../../../../src/chains/utxo/entry-fields.ts';
import { dayRate } from '../../../../src/chains/utxo/prepare.ts';
import { enableCoin } from '../../../../src/node/activate-legacy.ts';
import { keyPathOf } from '../../../../src/node/coin-keys.ts';
import { CoinTable } from '../../../../src/node/coin-table.ts';
import { coinsOf } from '../../../../src/node/coins-file.ts';
import { daemonOf } from '../../../../src/node/daemon-conf.ts';
import type { JsonObject, JsonValue } from '../../../../src/primitives/json.ts';
import { unixSecondsOf } from '../../../../src/primitives/time.ts';
import { signerOf } from '../../../support/litecoin/chain.ts';
import { describeShared, readShared } from '../../../support/shared.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const TERMS = { finality: 4, scheme: 'p2sh' } as const;
const SMART = { txversion: 4, overwintered: 1 };
const WITNESS = { segwit: true, bech32_hrp: 'tst', address_format: { format: 'segwit' } };

const read = (entry: JsonObject) => readUtxoEntry({ coin: 'TST', ...entry }, TERMS);
const coinOf = (entry: JsonObject): UtxoCoin => read(entry).coin;

/** What reading an entry comes to: what is read, or the code and the member of its refusal. */
function outcome(entry: JsonObject): unknown {
  try {
    return read(entry);
  } catch (error) {
    if (!(error instanceof CoinEntryError)) throw error;
    return [error.code, error.facts['member']];
  }
}

/** A daemon that answers what a table says, and nothing else; with what it was asked. */
function scripted(told: Readonly<Record<string, JsonValue>>) {
  const asked: DaemonCall[] = [];
  const batch = async (calls: readonly DaemonCall[]) => {
    asked.push(...calls);
    return calls.map(([method]) => ({ result: told[method] ?? null }));
  };
  const reader = createDaemonReader({ client: { batch }, birth: 0, decimals: 8, medianBlocks: 11 });
  return { reader, asked };
}

const askedFor = async (entry: JsonObject): Promise<readonly DaemonCall[]> => {
  const { reader, asked } = scripted({ estimatesmartfee: { feerate: 0.00004321 } });
  await dayRate({ coin: coinOf({ txfee: 0, ...entry }), reader });
  return asked;
};

/** What a wallet tells of the fees of a payment and of a claim, at 10 base units a byte. */
async function quoted(entry: JsonObject): Promise<readonly string[]> {
  const index = createChainIndex(() => 7);
  const reader = {
    ...{ index, follow: async () => true, find: async () => true, timeOf: async () => null, send: async () => null },
    ...{ sync: async () => ({ hash: 'aa', height: 7, clock: unixSecondsOf(1) }), estimate: async () => 10_000n },
  };
  const signer = signerOf('a quote');
  const wallet = { coins: signer, ofSwap: () => signer };
  const chain = createUtxoChain({
    coin: coinOf(entry),
    reader,
    signer: wallet,
    clock: virtualClock(0),
    birth: 0,
    poll: 5,
  });
  const quote = await chain.quote();
  if (!quote.ok) throw new Error(quote.fault.message);
  return [quote.value.paymentFee, quote.value.spendFee];
}

/** Why a legacy activation of an entry is refused before any daemon is asked. */
async function refusalOf(entry: JsonObject): Promise<string> {
  const order = {
    method: 'enable',
    request: { coin: 'TST' },
    coins: coinsOf([{ coin: 'TST', ...entry }], 'a test'),
    table: new CoinTable(),
    usualConfirmations: 3,
    heedsMm2: true,
  } as const;
  const terms = { network: { scriptScheme: 'p2sh' }, finality: 3 } as never;
  const error = await enableCoin({ ...order, terms }).catch((found: unknown) => found);
  return (error as { readonly kind: string }).kind;
}

/** Shows that a member has the effect that the table says. */
const EFFECTS: Readonly<Record<NamesThat<'effect'>, () => unknown>> = {
  coin: () => {
    expect(coinOf({ coin: 'OTHER' }).coin).toBe('OTHER');
    expect(outcome({ coin: 'GRS' })).toEqual(['COIN_UNSUPPORTED', 'coin']);
  },
  mm2: async () => {
    expect(await refusalOf({ protocol: { type: 'UTXO' } })).toBe('mm2Missing');
    expect(await refusalOf({ mm2: 0, protocol: { type: 'WOOF' } })).toBe('protocolInvalid');
  },
  protocol: async () => {
    expect(await refusalOf({ mm2: 1 })).toBe('protocolMissing');
    expect(await refusalOf({ mm2: 1, protocol: { type: 'ZHTLC', protocol_data: {} } })).toBe('protocolUnsupported');
  },
  required_confirmations: () => {
    expect([read({}), read({ required_confirmations: 0 })].map((found) => found.requiredConfirmations)).toEqual([
      null,
      0,
    ]);
    expect(outcome({ required_confirmations: '5' })).toEqual(['COIN_ENTRY_INVALID', 'required_confirmations']);
  },
  requires_notarization: () => {
    expect([read({}), read({ requires_notarization: true })].map((found) => found.requiresNotarization)).toEqual([
      false,
      true,
    ]);
    expect(outcome({ requires_notarization: 1 })).toEqual(['COIN_ENTRY_INVALID', 'requires_notarization']);
  },
  wallet_only: () => {
    expect([read({}), read({ wallet_only: true })].map(({ walletOnly }) => walletOnly)).toEqual([false, true]);
    expect(outcome({ wallet_only: 'yes' })).toEqual(['COIN_ENTRY_INVALID', 'wallet_only']);
  },
  decimals: () => expect(coinOf({ decimals: 6 }).decimals).toBe(6),
  pubtype: () => expect(read({ pubtype: 23 }).form.keyPrefix).toEqual(Uint8Array.of(23)),
  p2shtype: () => expect(read({ p2shtype: 29 }).form.scriptPrefix).toEqual(Uint8Array.of(29)),
  taddr: () =>
    expect(read({ taddr: 28 }).form).toMatchObject({
      keyPrefix: Uint8Array.of(28, 60),
      scriptPrefix: Uint8Array.of(28, 85),
    }),
  bech32_hrp: () => expect(read({ bech32_hrp: 'tst' }).form.bech32).toBe('tst'),
  segwit: () => expect(outcome({ ...WITNESS, segwit: false })).toEqual(['COIN_ENTRY_INVALID', 'address_format']),
  address_format: () => {
    expect(coinOf(WITNESS).address).toBe('p2wpkh');
    expect(coinOf({ ...WITNESS, address_format: { format: 'standard' } }).address).toBe('p2pkh');
  },
  txversion: () => expect(coinOf({ txversion: 7 }).form).toEqual({ format: 'legacy', version: 7 }),
  overwintered: () => expect(coinOf(SMART).form.format).toBe('sapling'),
  version_group_id: () =>
    expect(coinOf({ ...SMART, version_group_id: '0x1234' }).form).toMatchObject({ versionGroupId: 0x1234 }),
  consensus_branch_id: () => expect(coinOf({ ...SMART, consensus_branch_id: '0x2bb40e60' }).branchId).toBe(0x2bb4_0e60),
  fork_id: () => expect(coinOf({ fork_id: '0x4f40' }).hashType).toBe(0x4f41),
  signature_version: () => {
    expect(coinOf({ fork_id: '0x40', signature_version: 'base' }).hashType).toBe(1);
    expect(outcome({ signature_version: 'witness_v0' })).toEqual(['COIN_UNSUPPORTED', 'signature_version']);
  },
  txfee: () => expect([{ txfee: 0 }, { txfee: 777 }].map((entry) => coinOf(entry).fees.rate)).toEqual([null, 777n]),
  txfee_volatility_percent: async () => {
    expect(await quoted({ txfee: 0 })).toEqual(['0.00004392', '0.00003317']);
    expect(await quoted({ txfee: 0, txfee_volatility_percent: 12.5 })).toEqual(['0.00004917', '0.00003713']);
    expect(feeLater(coinOf({ txfee: 0 }).fees, 10_001n)).toBe(10_052n);
    expect(feeLater(coinOf({ txfee: 0, txfee_volatility_percent: 12.5 }).fees, 10_001n)).toBe(11_252n);
    expect(feeLater(coinOf({ txfee: 10_000, txfee_volatility_percent: 12.5 }).fees, 10_001n)).toBe(10_001n);
    expect(outcome({ txfee_volatility_percent: -1 })).toEqual(['COIN_ENTRY_INVALID', 'txfee_volatility_percent']);
  },
  estimate_fee_mode: async () => {
    expect((await askedFor({ estimate_fee_mode: 'CONSERVATIVE' }))[0]).toEqual(['estimatesmartfee', 1, 'CONSERVATIVE']);
    expect((await askedFor({}))[0]).toEqual(['estimatesmartfee', 1]);
    expect(outcome({ estimate_fee_mode: 'cheap' })).toEqual(['COIN_ENTRY_INVALID', 'estimate_fee_mode']);
  },
  estimate_fee_blocks: async () => {
    const blocks = (calls: readonly DaemonCall[]) => [...new Set(calls.map(([, count]) => count))];
    expect(blocks(await askedFor({ estimate_fee_blocks: 6 }))).toEqual([6]);
    expect(blocks(await askedFor({}))).toEqual([1, 2]);
  },
  force_min_relay_fee: async () => {
    const { reader } = scripted({ getnetworkinfo: { relayfee: 0.00005 } });
    const rateOf = (entry: JsonObject) => dayRate({ coin: coinOf(entry), reader });
    expect(await rateOf({ txfee: 2000 })).toBe(2000n);
    expect(await rateOf({ txfee: 2000, force_min_relay_fee: true })).toBe(5000n);
    expect(await rateOf({ txfee: 9000, force_min_relay_fee: true })).toBe(9000n);
  },
  dust: () => expect(coinOf({ dust: 546 }).dust).toBe(546n),
  mature_confirmations: () => expect(coinOf({ mature_confirmations: 501 }).maturity).toBe(501),
  mtp_block_count: () => expect(coinOf({ mtp_block_count: 7 }).medianBlocks).toBe(7),
  avg_blocktime: () => expect(coinOf({ avg_blocktime: 150 }).blockTime).toBe(150),
  confpath: async () =>
    expect(await confOf({ confpath: 'USERHOME/absent.conf', asset: 'B' })).toBe(join(homedir(), 'absent.conf')),
  asset: async () =>
    expect(await confOf({ asset: 'ABSENT', name: 'b' })).toBe(join(homedir(), '.komodo/ABSENT/ABSENT.conf')),
  name: async () => expect(await confOf({ name: 'absentcoin' })).toBe(join(homedir(), '.absentcoin/absentcoin.conf')),
  derivation_path: () => {
    expect(keyPathOf({ derivation_path: "m/84'/2'" }, {})).toBe("m/84'/2'/0'/0/0");
    expect(() => keyPathOf({}, {})).toThrow('derivation_path');
  },
  rpcport: async () => {
    const confpath = join(mkdtempSync(join(tmpdir(), 'swapfold-conf-')), 'a.conf');
    writeFileSync(confpath, 'rpcuser=u\nrpcpassword=p\n');
    expect((await daemonOf({ confpath, rpcport: 7771 })).url).toBe('http://127.0.0.1:7771');
    await expect(daemonOf({ confpath })).rejects.toMatchObject({ kind: 'daemonConf' });
  },
};

/** The conf file that is looked for; there is none of that name. */
async function confOf(entry: JsonObject): Promise<string | undefined> {
  const error = (await daemonOf(entry).catch((found: unknown) => found)) as Error;
  return /'(.+)'/.exec(error.message)?.[1];
}

/** Values that are refused. */
const REFUSALS: Readonly<Record<NamesThat<'refused'>, JsonValue>> = { isPoS: 1, isPoSV: 1, spv_conf: {} };

/** Values that are not those of an entry without the member. */
const WITHOUT_EFFECT: Readonly<Record<NamesThat<'none'>, JsonValue>> = {
  check_utxo_maturity: true,
  network: 'regtest',
  wiftype: 128,
  sign_message_prefix: 'Test Signed Message:\n',
  trezor_coin: 'Litecoin',
};

type NamesThat<B> = {
  [N in EntryFieldName]: (typeof ENTRY_FIELDS)[N]['becomes'] extends B ? N : never;
}[EntryFieldName];

const entriesOf = <T>(of: Readonly<Record<string, T>>): [string, T][] => Object.entries(of);

const namesThat = (becomes: string): readonly string[] =>
  Object.entries(ENTRY_FIELDS).flatMap(([name, field]) => (field.becomes === becomes ? [name] : []));

describe('a member of the coins file with an effect', () => {
  it.each(entriesOf(EFFECTS))('%s', async (_, shows) => {
    await shows();
  });

  it('is shown, whichever it is', () => {
    expect(Object.keys(EFFECTS).sort()).toEqual(namesThat('effect').toSorted());
  });
});

describe('a member of the coins file that is refused', () => {
  it.each(entriesOf(REFUSALS))('%s', (name, value) => {
    expect(outcome({ [name]: value })).toEqual(['COIN_UNSUPPORTED', name]);
    expect(outcome({ [name]: null })).toEqual(outcome({}));
  });

  it('is shown, whichever it is', () => {
    expect(Object.keys(REFUSALS).sort()).toEqual(namesThat('refused').toSorted());
  });
});

describe('a member of the coins file without effect', () => {
  it.each(entriesOf(WITHOUT_EFFECT))('%s', (name, value) => {
    expect(outcome({ [name]: value })).toEqual(outcome({}));
  });

  it('is shown, whichever it is', () => {
    expect(Object.keys(WITHOUT_EFFECT).sort()).toEqual(namesThat('none').toSorted());
  });

  it('network is still refused if it is invalid', () => {
    expect(outcome({ network: 'moonnet' })).toEqual(['COIN_ENTRY_INVALID', 'network']);
  });

  it('that is unknown changes nothing', () => {
    expect(outcome({ chain_id: 61, whatever: [] })).toEqual(outcome({}));
  });
});

describe('what the code reads of an entry', () => {
  it('is all in the table', () => {
    const files = [
      'src/node/activate-legacy.ts',
      'src/node/daemon-conf.ts',
      'src/node/coin-keys.ts',
      'src/chains/utxo/coin-entry.ts',
    ];
    const names = files.flatMap((file) => {
      const text = readFileSync(join(import.meta.dirname, '../../../..', file), 'utf8');
      const destructured = [...text.matchAll(/const \{ ([^}]+) \} = entry;/g)].flatMap(([, list]) =>
        (list as string).split(',').map((part) => (part.split(/[:=]/)[0] as string).trim()),
      );
      return [...text.matchAll(/entry\['(\w+)'\]/g)].map(([, name]) => name as string).concat(destructured);
    });
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !Object.hasOwn(ENTRY_FIELDS, name))).toEqual([]);
  });
});

describeShared('the reference of the coins file', () => {
  it('names no member of a UTXO coin that is not in the table', () => {
    const [, section = ''] = readShared('reference/activation.md').split('### 3.1 Fields read at activation');
    const [all = '', utxo = ''] = section.split(/^\* /m).slice(1);
    const named = [...`${all} ${utxo}`.matchAll(/`([A-Za-z0-9_]+)`/g)].map(([, name]) => name as string);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((name) => !Object.hasOwn(ENTRY_FIELDS, name))).toEqual([]);
  });
});
