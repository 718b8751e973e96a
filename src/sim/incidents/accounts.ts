import { advance } from '../world/advance.ts';
import { EPOCH } from '../world/scenario.ts';
import { createWorld, type Observer, type World } from '../world/world.ts';
import { SWAPPED } from './endings.ts';
import type { Incident, IncidentParty, IncidentPlay } from './incident.ts';
import { newest, onceAppended, overtake } from './meddling.ts';
import { during, momentOf, swapWith, withNodeFaults } from './moments.ts';
import { answeredOnce, firstOf, journalOf, onePaymentOnly, seenOf, unless } from './records.ts';
import { oneNonceEach } from './rules.ts';

// Accounts, their nonces and their gas.

const PARTIES = ['maker', 'taker'] as const;

/** The chain on which a party claims. */
function claimChain(party: IncidentParty): IncidentParty {
  return party === 'maker' ? 'taker' : 'maker';
}

/** What a party's log says about a claim that first failed and then became final. */
function claimEnding(party: IncidentParty, trouble: string): IncidentPlay['ending'] {
  const maker = {
    ...SWAPPED,
    log: [trouble, 'TakerPaymentSpendConfirmed', 'Finished'],
    never: ['TakerPaymentSpendFailed', 'TakerPaymentSpendConfirmFailed', 'MakerPaymentWaitRefundStarted'],
  };
  const taker = {
    ...SWAPPED,
    log: [trouble, 'MakerPaymentSpendConfirmed', 'Finished'],
    never: ['MakerPaymentSpendFailed', 'MakerPaymentSpendConfirmFailed', 'TakerPaymentWaitRefundStarted'],
  };
  return party === 'maker' ? { maker, taker: SWAPPED } : { maker: SWAPPED, taker };
}

export const kdf2175: Incident = {
  id: 'kdf-2175',
  system: 'KDF',
  title: 'a reverted claim counts as success',
  source: 'https://github.com/GLEECBTC/komodo-defi-framework/issues/2175',
  what: 'Blocks on an EVM chain included claims that ran out of gas and reverted. KDF showed the swaps as successful, and refunded or claimed nothing again.',
  shape:
    "For ten minutes from its first claim on, blocks include each claim of a side, and each runs out of gas: the maker's in one play, the taker's in the other.",
  outcome:
    'The receipt counts: the log says reverted, the engine signs the claim anew with a higher urgency, and it reports success only when the claim is final.',
  seed: 2175,
  parts: PARTIES.map(
    (party): IncidentPlay => ({
      name: `${party} claim`,
      scenario: (seed) => {
        const chain = claimChain(party);
        const calm = swapWith(seed, { [chain]: { kind: 'account' } });
        const { at } = momentOf(calm, { party, broadcast: 'claim' });
        const revert = during({ kind: 'revert', purposes: ['claim'] } as const, at, at + 600);
        return swapWith(seed, { [chain]: { kind: 'account', faults: [revert] } });
      },
      cause: (run) =>
        unless(
          seenOf(run, party, 'claim').some(({ status }) => status === 'reverted'),
          'no claim was reverted',
        ),
      ending: claimEnding(party, 'TransactionReverted:claim'),
      check: (run) => {
        const urgencies = journalOf(run.logs[party], 'TransactionPrepared', 'claim').map(({ data }) => data.urgency);
        return unless((urgencies.at(-1) ?? 0) > 0, 'the last claim is not more urgent than the first');
      },
    }),
  ),
};

export const kdf2573: Incident = {
  id: 'kdf-2573',
  system: 'KDF',
  title: 'duplicate nonces make a claim underpriced',
  source: 'https://github.com/GLEECBTC/komodo-defi-framework/issues/2573',
  what: 'A platform coin and its tokens each counted the nonces of one account separately. The claim got a nonce that was already in use, nodes refused it as an underpriced replacement, and the swap failed.',
  shape:
    'One wallet gets requests for several transactions at once. In another play, another process of the same account sends a transaction that pays more, with the nonce of the claim, just before the claim goes out.',
  outcome:
    'A wallet gives every transaction its own nonce. The engine raises the fee of a claim whose nonce is taken, or signs it with the next nonce, until it is final.',
  seed: 2573,
  parts: [
    { name: 'one nonce each', rule: oneNonceEach },
    ...PARTIES.map(
      (party): IncidentPlay => ({
        name: `${party} claim with a nonce that is under way`,
        scenario: (seed) => swapWith(seed, { [claimChain(party)]: { kind: 'account' } }),
        meddle: () =>
          onceAppended({ party, record: 'TransactionPrepared:claim' }, (world) => {
            const where = { party, chain: claimChain(party) };
            overtake(world, where, { target: newest(world, party, 'claim'), urgency: 2 });
          }),
        cause: (run) => answeredOnce(run, { party, purpose: 'claim', answers: ['feeTooLow', 'nonceUsed'] }),
        ending: claimEnding(party, 'BroadcastRefused:claim'),
      }),
    ),
  ],
};

export const dcrdex1467: Incident = {
  id: 'dcrdex-1467',
  system: 'dcrdex',
  title: 'a claim is overwritten and lost without an error',
  source: 'https://github.com/decred/dcrdex/issues/1467',
  what: "The account's next transaction replaced a redeem with a low gas price. The redeem vanished, and the client still showed it as done.",
  shape: 'Another process of the same account replaces the claim in the mempool, after the network has accepted it.',
  outcome:
    'The engine watches the payment and not the transaction: it notices that the claim is missing, and repeats it until the payment is spent for good.',
  seed: 1467,
  parts: PARTIES.map(
    (party): IncidentPlay => ({
      name: `${party} claim`,
      scenario: (seed) => swapWith(seed, { [claimChain(party)]: { kind: 'account' } }),
      meddle: () =>
        onceAppended({ party, record: 'BroadcastAccepted:claim' }, (world) => {
          const where = { party, chain: claimChain(party) };
          overtake(world, where, { target: newest(world, party, 'claim'), urgency: 3 });
        }),
      cause: (run) => {
        const [first] = journalOf(run.logs[party], 'TransactionPrepared', 'claim');
        const seen = seenOf(run, party, 'claim').find(({ hash }) => hash === first?.data.tx.tx_hash);
        return unless(seen?.status === 'gone', 'the first claim was not lost');
      },
      ending: claimEnding(party, 'TransactionPrepared:claim'),
      check: (run) =>
        unless(journalOf(run.logs[party], 'TransactionPrepared', 'claim').length > 1, 'the claim was never made again'),
    }),
  ),
};

/** Another process of the taker's account sends a transaction first, which the network drops once the claim stands behind it. */
function droppedBefore(): Observer {
  let foreign: string | null = null;
  return {
    settled(world) {
      const { maker } = world.chains;
      if (foreign === null) {
        const other = { feeSat: 1000n, burnSat: 0n, urgency: 0, replaces: null } as const;
        const made = maker.wallet({ party: 'taker' }).prepare({ purpose: 'fee', ...other });
        if (!made.ok) throw new RangeError(`the account cannot send: ${made.fault.message}`);
        foreign = made.value.tx_hash;
        maker.submit(made.value.tx_hex);
      } else if (world.nodes.taker.runner.journal.prepared.claim.length > 0) maker.drop(foreign);
    },
  };
}

export const boltzBackend1201: Incident = {
  id: 'boltz-backend-1201',
  system: 'boltz-backend',
  title: 'a nonce gap holds up everything after it',
  source: 'https://github.com/BoltzExchange/boltz-backend/issues/1201',
  what: 'The network dropped transactions whose fee was too low. The account continued from its highest nonce, and no block could ever include anything after the gap.',
  shape:
    "No miner includes the taker's fee, and the network drops it after the maker has checked it. The payment then has the nonce after the gap. In a second play a dropped transaction of another process of the account leaves the gap, before the claim.",
  outcome:
    "The swap's dropped transaction goes out again, and a block includes the payment. A claim with the free nonce closes a gap that the swap did not make.",
  seed: 1201,
  parts: [
    {
      name: 'dropped fee before the payment',
      scenario: (seed) => {
        const calm = swapWith(seed, { taker: { kind: 'account' } });
        const { at } = momentOf(calm, { party: 'maker', record: 'TakerFeeValidated' });
        const left = during({ kind: 'censor', purposes: ['fee'] } as const, 0, at + 2);
        const dropped = { at: at + 1, chain: 'taker', kind: 'dropMempool' } as const;
        return swapWith(seed, { taker: { kind: 'account', faults: [left] }, chainEvents: [dropped] });
      },
      cause: (run) => answeredOnce(run, { party: 'taker', purpose: 'payment', answers: ['nonceGap'] }),
      ending: {
        maker: SWAPPED,
        taker: { ...SWAPPED, log: ['TakerPaymentSent', 'TakerPaymentSpent'], never: ['TakerPaymentTransactionFailed'] },
      },
      check: (run) =>
        firstOf(
          onePaymentOnly(run, 'taker'),
          unless(
            seenOf(run, 'taker', 'fee').every(({ status }) => status === 'confirmed'),
            'the fee is still missing',
          ),
        ),
    },
    {
      name: "a stranger's gap before the claim",
      scenario: (seed) => {
        const calm = swapWith(seed, { maker: { kind: 'account' } });
        const { at } = momentOf(calm, { party: 'taker', broadcast: 'claim' });
        const left = during({ kind: 'censor', purposes: ['fee', 'claim'] } as const, 0, at + 300);
        return swapWith(seed, { maker: { kind: 'account', faults: [left] } });
      },
      meddle: droppedBefore,
      cause: (run) => answeredOnce(run, { party: 'taker', purpose: 'claim', answers: ['nonceGap'] }),
      ending: claimEnding('taker', 'BroadcastRefused:claim'),
    },
  ],
};

/** The other swap of a play with two. */
const companions = new WeakMap<World, World>();

/** Another swap on other chains, in the same process and at the same times; its claim gets no answer for two hours. */
function stuckSwap(seed: number): World {
  const calm = swapWith(seed + 1, { maker: { kind: 'account', coin: 'ETC' }, taker: { kind: 'account', coin: 'RSK' } });
  const { at } = momentOf(calm, { party: 'taker', broadcast: 'claim' });
  const stuck = withNodeFaults(calm, { party: 'taker', chain: 'maker' }, [during({ kind: 'outage' }, at, at + 7200)]);
  return createWorld(stuck);
}

function isDone(world: World): boolean {
  return world.nodes.maker.done && world.nodes.taker.done;
}

export const kdf1293: Incident = {
  id: 'kdf-1293',
  system: 'KDF',
  title: 'one lock for the nonces of all chains',
  source: 'https://github.com/GLEECBTC/komodo-defi-framework/issues/1293',
  what: 'Swaps on different EVM chains waited for one global nonce lock: a slow chain held up the claims on all others for 40 to 60 minutes.',
  shape:
    "Two swaps of the same parties over four account-based chains run in one process. From the claim on one chain on, that chain's node answers nothing for two hours.",
  outcome: 'The other swap ends in its usual time. The delayed one claims when its chain answers again.',
  seed: 1293,
  parts: [
    {
      name: 'two swaps, one chain silent',
      scenario: (seed) =>
        swapWith(seed, { maker: { kind: 'account', coin: 'ONE' }, taker: { kind: 'account', coin: 'MATIC' } }),
      meddle: () => ({
        settled(world) {
          const other = companions.get(world) ?? stuckSwap(world.scenario.seed);
          companions.set(world, other);
          while (other.now <= world.now && advance(other));
        },
      }),
      cause: ({ world }) => unless(!isDone(otherOf(world)), 'the other swap was over first'),
      ending: { maker: SWAPPED, taker: { ...SWAPPED, log: ['MakerPaymentSpent', 'MakerPaymentSpendConfirmed'] } },
      check: ({ world }) => {
        const took = Math.floor(world.now / 1000) - EPOCH;
        const other = otherOf(world);
        while (advance(other));
        const ended = other.nodes.taker.records.some(({ type }) => type === 'MakerPaymentSpendConfirmed');
        return firstOf(
          unless(took < 3600, `the swap took ${took} s`),
          unless(ended, 'the held up swap did not complete'),
        );
      },
    },
  ],
};

function otherOf(world: World): World {
  const other = companions.get(world);
  if (other === undefined) throw new RangeError('there is no other swap');
  return other;
}

export const accountIncidents: readonly Incident[] = [kdf1293, kdf2175, kdf2573, boltzBackend1201, dcrdex1467];
