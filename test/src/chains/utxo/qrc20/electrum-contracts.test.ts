import { describe, expect, it } from 'vitest';
import type { ElectrumAnswer, ElectrumCall } from '../../../../../src/chains/utxo/electrum/connection.ts';
import type { ElectrumBackend, ElectrumVoice } from '../../../../../src/chains/utxo/electrum/panel.ts';
import { ContractAbsent, ContractsUnsteady } from '../../../../../src/chains/utxo/qrc20/contracts.ts';
import { createElectrumContracts } from '../../../../../src/chains/utxo/qrc20/electrum-contracts.ts';
import { BackendSilent } from '../../../../../src/ports/silence.ts';
import type { JsonValue } from '../../../../../src/primitives/json.ts';
import { unixSecondsOf } from '../../../../../src/primitives/time.ts';

const CONTRACT = 'c7'.repeat(20);
const LOG = { address: CONTRACT, topics: ['AB'.repeat(32)], data: '0C' };
const TIP = { hash: 'aa', height: 900, clock: unixSecondsOf(1_800_000_000) };

/** A server that says this to everything, or is silent. */
type Server = ElectrumAnswer | null;

function over(servers: readonly Server[], quorum = 2) {
  const asked: ElectrumCall[] = [];
  const voices = servers.map((said, place): ElectrumVoice & { readonly said: Server } => ({
    url: `server ${place}`,
    said,
    batch: async (calls) => {
      asked.push(...calls);
      return calls.map(() => said as ElectrumAnswer);
    },
  }));
  const backend: ElectrumBackend = {
    batch: async () => [],
    onNews: () => ({ close() {} }),
    panel: {
      quorum,
      async survey(calls, of) {
        const there = voices.filter(({ said }) => said !== null);
        if (there.length === 0) throw new BackendSilent('nobody answers');
        const some = of === 'quorum' ? there.slice(0, quorum) : there;
        return Promise.all(some.map(async (voice) => ({ voice, answers: await voice.batch(calls) })));
      },
      distrust() {},
    },
  };
  return { look: createElectrumContracts(backend).look(TIP), asked };
}

const said = (result: JsonValue): Server => ({ result });
const output = (hex: string, excepted: JsonValue = 'None'): Server =>
  said({ address: CONTRACT, executionResult: { output: hex, excepted } });
const refused = (message: string): Server => ({ error: { code: 1, message } });

describe('what servers say about a contract', () => {
  it('is believed if as many as necessary agree, and asked once', async () => {
    const { look, asked } = over([output('0a'), output('0a'), output('0b')]);
    expect(look.asked()).toBe(false);
    expect([await look.call(CONTRACT, '01'), await look.call(CONTRACT, '01')]).toEqual(['0a', '0a']);
    expect(asked).toEqual(Array.from({ length: 2 }, () => ['blockchain.contract.call', CONTRACT, '01', '']));
    expect([look.asked(), look.doubt()]).toEqual([true, null]);
  });

  it('is that of the others if one lies, whichever is asked first', async () => {
    for (const liar of [0, 1, 2]) {
      const servers = [0, 1, 2].map((place) => output(place === liar ? 'ff' : '0a'));
      expect(await over(servers).look.call(CONTRACT, '01')).toBe('0a');
    }
  });

  it('is none if they all differ', async () => {
    const { look } = over([output('0a'), output('0b'), output('0c')]);
    await expect(look.call(CONTRACT, '01')).rejects.toThrow(ContractsUnsteady);
    await expect(over([output('0a'), output('0b')]).look.call(CONTRACT, '01')).rejects.toThrow(ContractsUnsteady);
  });

  it('is doubtful if too few answer, and none if none does', async () => {
    const { look } = over([output('0a'), null, null]);
    expect(await look.call(CONTRACT, '01')).toBe('0a');
    expect(look.doubt()).toBe('1 of the 2 Electrum servers that must agree about a contract answered');
    await expect(over([null, null]).look.call(CONTRACT, '01')).rejects.toThrow(BackendSilent);
  });

  it('is that it refuses a call, or that it does not exist', async () => {
    const refusing = output('', 'Revert');
    expect(await over([refusing, refusing]).look.call(CONTRACT, '01')).toBeNull();
    const absent = refused('daemon error: Address does not exist');
    await expect(over([absent, absent]).look.call(CONTRACT, '01')).rejects.toThrow(ContractAbsent);
    // Of one server alone it is as little so as anything else.
    expect(await over([absent, output('0a'), output('0a')]).look.call(CONTRACT, '01')).toBe('0a');
    const busy = refused('excessive resource usage');
    await expect(over([busy, busy]).look.call(CONTRACT, '01')).rejects.toThrow('excessive resource usage');
  });
});

describe('a call simulated for an account', () => {
  const trial = { from: '5e'.repeat(20), to: CONTRACT, data: '01' };
  const told = (log: JsonValue): Server =>
    said({ executionResult: { output: '0a', excepted: 'None', gasUsed: 21_500 }, transactionReceipt: { log } });

  it('is asked of servers in the name of that account, and reported with what it would emit', async () => {
    const { look, asked } = over([told([LOG]), told([LOG])]);
    const logs = [{ contract: CONTRACT, topics: ['ab'.repeat(32)], data: '0c' }];
    expect(await look.trial(trial)).toEqual({ output: '0a', logs, gas: 21_500 });
    expect(asked[0]).toEqual(['blockchain.contract.call', CONTRACT, '01', trial.from]);
  });

  it('comes without events if servers do not pass them on, and is no answer if it is malformed', async () => {
    expect(await over([output('0a'), output('0a')]).look.trial(trial)).toEqual({ output: '0a', logs: null, gas: null });
    await expect(over([told({}), told({})]).look.trial(trial)).rejects.toThrow(BackendSilent);
  });

  it('is not simulated if servers say so, which differs from silence, or from a missing contract', async () => {
    const refusing = refused('sender is not supported');
    expect(await over([refusing, refusing]).look.trial(trial)).toBeNull();
    await expect(over([refusing, told([LOG])]).look.trial(trial)).rejects.toThrow(ContractsUnsteady);
    await expect(over([null, null]).look.trial(trial)).rejects.toThrow(BackendSilent);
    const absent = refused('daemon error: Address does not exist');
    await expect(over([absent, absent]).look.trial(trial)).rejects.toThrow(ContractAbsent);
  });

  it('is nothing if servers differ in what it would emit', async () => {
    await expect(over([told([LOG]), told([])]).look.trial(trial)).rejects.toThrow(ContractsUnsteady);
  });
});

const RECEIPT = {
  ...{ blockNumber: 7, outputIndex: 2, from: '5E'.repeat(20), excepted: 'None', exceptedMessage: '', log: [LOG] },
  ...{ blockHash: 'bb', transactionHash: 'cc', transactionIndex: 1, cumulativeGasUsed: 9, gasUsed: 9 },
};

describe('receipts', () => {
  const read = async (...answer: JsonValue[]) => over([said(answer), said(answer)]).look.receipts('11'.repeat(32));

  it('are read with the events of the contracts', async () => {
    expect(await read(RECEIPT)).toEqual([
      {
        block: 7,
        vout: 2,
        from: '5e'.repeat(20),
        excepted: null,
        logs: [{ contract: CONTRACT, topics: ['ab'.repeat(32)], data: '0c' }],
      },
    ]);
    expect(await read()).toEqual([]);
  });

  it.each<[JsonValue, string | null]>([
    ['none', null],
    [null, null],
    ['Revert', 'Revert'],
    ['OutOfGas', 'OutOfGas'],
    [{}, 'an unknown reason'],
    [0, 'an unknown reason'],
  ])('of a call that ended with %s have had an effect, or not', async (excepted, found) => {
    const [receipt] = await read({ ...RECEIPT, excepted });
    expect(receipt?.excepted).toBe(found);
  });

  it('say why if the node does', async () => {
    const [receipt] = await read({ ...RECEIPT, excepted: 'Revert', exceptedMessage: 'no tokens' });
    expect(receipt?.excepted).toBe('Revert: no tokens');
  });

  it.each<[string, JsonValue]>([
    ['no list', {}],
    ['a block that is no number', [{ ...RECEIPT, blockNumber: '7x' }]],
    ['no output', [{ ...RECEIPT, outputIndex: null }]],
    ['a caller that is none', [{ ...RECEIPT, from: '5e' }]],
    ['no logs', [{ ...RECEIPT, log: null }]],
    ['a log that is none', [{ ...RECEIPT, log: [{ ...LOG, data: 'zz' }] }]],
    ['a topic that is none', [{ ...RECEIPT, log: [{ ...LOG, topics: [7] }] }]],
  ])('that are malformed are no answer: %s', async (_, answer) => {
    await expect(over([said(answer), said(answer)]).look.receipts('11'.repeat(32))).rejects.toThrow(BackendSilent);
  });
});

describe('transfer events of a token', () => {
  const query = { account: '5e'.repeat(20), token: CONTRACT, from: 8 };
  const place = (height: number) => ({ tx_hash: '11'.repeat(32), height, log_index: 0 });

  it('are reported from a block on', async () => {
    const answer = said([place(7), place(8), place(9)]);
    const { look, asked } = over([answer, answer]);
    expect((await look.transfers(query)).map(({ height }) => height)).toEqual([8, 9]);
    expect(asked[0]?.slice(0, 3)).toEqual(['blockchain.contract.event.get_history', query.account, CONTRACT]);
  });

  it('are no answer without ids or heights', async () => {
    for (const bad of [[{ height: 7 }], [{ tx_hash: '11', height: 7 }], [{ ...place(7), height: -1 }], {}]) {
      await expect(over([said(bad), said(bad)]).look.transfers(query)).rejects.toThrow(BackendSilent);
    }
  });
});
