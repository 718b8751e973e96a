import { describe, expect, it } from 'vitest';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { keyFormRule, peerIdRule } from '../../../../src/replay/audit/identities.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { judge, notCheckable, verified, violated, withMembers, without } from '../../../support/audited.ts';

const old = buildSwapPair({ seed: 131, era: '2021' });
const current = buildSwapPair({ seed: 131 });
const separate = buildSwapPair({ seed: 131, separateKeys: true });
const idOf = (key: Uint8Array) => bytesToHex(key).slice(2);
const ZEROS = '00'.repeat(33);

describe("the other party's id in the network", () => {
  const makerId = idOf(old.terms.maker.persistent);
  const takerId = idOf(old.terms.taker.persistent);
  const named = (maker: unknown, log = old.taker) => judge(peerIdRule, withMembers(log, 'Started', { maker }));

  it('is its public key without the parity byte', () => {
    expect(judge(peerIdRule, old.taker)).toEqual([verified(0, makerId)]);
    expect(judge(peerIdRule, old.maker)).toEqual([verified(0, takerId)]);
  });

  it('was changed if it agrees in most of its bytes', () => {
    const found = `${makerId.slice(0, -2)}${makerId.endsWith('00') ? '01' : '00'}`;
    expect(named(found)).toEqual([violated(0, { expected: makerId, found })]);
  });

  it('may belong to another key for messages', () => {
    expect(named('5a'.repeat(32))).toEqual([notCheckable(0, 'the other party has another key for messages')]);
  });

  it('may be absent, hidden or no hex', () => {
    for (const id of [undefined, '', '00'.repeat(32), 'zz'.repeat(32)]) {
      expect(named(id)).toEqual([notCheckable(0, 'the log does not hold the id')]);
    }
  });

  it("is checked against the party's keys for both coins if its own key is hidden", () => {
    expect(judge(peerIdRule, current.taker)).toEqual([verified(0, makerId)]);
    expect(judge(peerIdRule, current.maker)).toEqual([verified(0, takerId)]);
    const HIDDEN = "the other party's key is hidden, and its keys for the coins are others";
    expect(judge(peerIdRule, separate.taker)).toEqual([notCheckable(0, HIDDEN)]);
    for (const maker_pubkey of [ZEROS, '', undefined, 'zz'.repeat(33)]) {
      const log = withMembers(old.taker, 'Negotiated', { maker_pubkey });
      expect(judge(peerIdRule, log)).toEqual([notCheckable(0, HIDDEN)]);
    }
    const own = bytesToHex(current.terms.maker.persistent);
    const one = withMembers(current.taker, 'Negotiated', { taker_coin_htlc_pubkey: `02${'5a'.repeat(32)}` });
    expect(judge(peerIdRule, one)).toEqual([notCheckable(0, HIDDEN)]);
    const half = withMembers(current.taker, 'Negotiated', {
      taker_coin_htlc_pubkey: null,
      maker_coin_htlc_pubkey: own,
    });
    expect(judge(peerIdRule, half)).toEqual([verified(0, makerId)]);
  });

  it('is known only after both events', () => {
    expect(judge(peerIdRule, without(old.taker, 'Started'))).toEqual([]);
    expect(judge(peerIdRule, without(old.taker, 'Negotiated'))).toEqual([]);
  });
});

describe('the form of a public key', () => {
  const expectedOf = (name: string) => ({ expected: `${name} with 02 or 03 as its first byte`, found: '04' });
  const wrong = `04${'5a'.repeat(32)}`;

  it('starts with 02 or 03', () => {
    expect(judge(keyFormRule, old.taker)).toEqual([verified(0, 'my_persistent_pub'), verified(1, 'maker_pubkey')]);
    expect(judge(keyFormRule, old.maker)).toEqual([verified(0, 'my_persistent_pub'), verified(1, 'taker_pubkey')]);
    for (const first of ['02', '03']) {
      const log = withMembers(old.taker, 'Negotiated', { maker_pubkey: `${first}${'5a'.repeat(32)}` });
      expect(judge(keyFormRule, log)[1]?.status).toBe('verified');
    }
    expect(judge(keyFormRule, withMembers(old.taker, 'Started', { my_persistent_pub: wrong }))[0]).toEqual(
      violated(0, expectedOf('my_persistent_pub')),
    );
    expect(judge(keyFormRule, withMembers(old.taker, 'Negotiated', { maker_pubkey: wrong }))[1]).toEqual(
      violated(1, expectedOf('maker_pubkey')),
    );
  });

  it('is hidden behind zeros since 2022', () => {
    expect(judge(keyFormRule, current.taker)).toEqual([
      verified(0, 'my_persistent_pub'),
      ...['maker_coin_htlc_pubkey', 'taker_coin_htlc_pubkey'].flatMap((name) => [verified(0, name), verified(1, name)]),
    ]);
  });

  it('may be that of another curve for a coin', () => {
    for (const [index, name] of ['maker_coin_htlc_pubkey', 'taker_coin_htlc_pubkey'].entries()) {
      const findings = judge(keyFormRule, withMembers(current.taker, 'Negotiated', { [name]: wrong }));
      expect(findings[2 + 2 * index]).toEqual(notCheckable(1, `${name} starts with 04, and may be of another curve`));
    }
  });

  it('is not looked for in events that the log lacks', () => {
    expect(judge(keyFormRule, without(old.taker, 'Negotiated'))).toEqual([verified(0, 'my_persistent_pub')]);
    expect(judge(keyFormRule, { ...old.taker, events: [] })).toEqual([]);
  });
});
