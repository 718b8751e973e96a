import { describe, expect, it } from 'vitest';
import { LogConflictError, LogDamagedError } from '../../../src/log/memory/index.ts';
import { SwapfoldError } from '../../../src/primitives/error.ts';
import {
  coinNotActive,
  coinWalletOnly,
  contested,
  draining,
  isConflict,
  isDamage,
  isRefused,
  logUnavailable,
  RuntimeError,
  requestInvalid,
  runnerFailed,
  shortReason,
  swapExists,
  swapNotFound,
  swapUnreadable,
  transactionTaken,
} from '../../../src/runtime/errors.ts';

const KNOWN = new SwapfoldError('not here', { code: 'ILLEGAL_EVENT' });
const withCode = (error: Error, code: unknown) => Object.assign(error, { code });

const texts = (): readonly (readonly [RuntimeError, object])[] => [
  [
    requestInvalid('secret', 'null for a taker'),
    {
      code: 'SWAP_REQUEST_INVALID',
      shortMessage: 'A swap cannot be started with these options.',
      facts: { member: 'secret', expected: 'null for a taker' },
      next: 'Nothing was written. Correct the member, then start the swap again.',
      retry: 'never',
    },
  ],
  [requestInvalid('uuid', 'a UUID', { next: 'Ask.' }), { next: 'Ask.', facts: { member: 'uuid', expected: 'a UUID' } }],
  [
    swapExists('a/1'),
    {
      code: 'SWAP_EXISTS',
      shortMessage: 'The log holds another swap under this id.',
      facts: { stream: 'a/1' },
      next: 'Nothing was written. Look at the existing swap; a log is never overwritten.',
      retry: 'never',
    },
  ],
  [
    swapNotFound('1'),
    {
      code: 'SWAP_NOT_FOUND',
      shortMessage: 'The log holds no swap with this id.',
      facts: { uuid: '1' },
      next: 'Check the id, or import the swap first.',
      retry: 'never',
    },
  ],
  [
    swapUnreadable('a/1', KNOWN),
    {
      code: 'SWAP_UNREADABLE',
      shortMessage: 'The log of this swap does not fold into a state.',
      facts: { stream: 'a/1', reason: 'ILLEGAL_EVENT' },
      next: 'Run `swapfold explain` on the log and settle by hand what it shows, or import a better copy.',
      retry: 'operator',
      cause: KNOWN,
    },
  ],
  [
    coinNotActive('DOC'),
    {
      code: 'COIN_NOT_ACTIVE',
      shortMessage: 'The coin is not active on this node.',
      facts: { coin: 'DOC' },
      next: 'Activate the coin first. Nothing was written.',
      retry: 'later',
    },
  ],
  [
    coinWalletOnly('ETHHW'),
    {
      code: 'COIN_WALLET_ONLY',
      shortMessage: 'The coin is active for its wallet only, not for swaps.',
      facts: { coin: 'ETHHW' },
      next:
        'Nothing was written. Activate the coin with a key that can sign swaps and with a swap contract, and make ' +
        'sure that neither the request nor the coins file excludes it from trading.',
      retry: 'never',
    },
  ],
  [
    runnerFailed('a/1', KNOWN),
    {
      code: 'RUNNER_FAILED',
      shortMessage: 'The runner of this swap stopped because of a bug in swapfold.',
      facts: { stream: 'a/1', reason: 'ILLEGAL_EVENT' },
      next: 'The log is intact, and the runner restarts from it after a pause. Please report the bug anyway.',
      retry: 'operator',
    },
  ],
  [
    transactionTaken('a/1', { tx_hash: 'c7', holder: 'a/2' }),
    {
      code: 'TRANSACTION_TAKEN',
      shortMessage: 'A wallet gave two swaps the same transaction.',
      facts: { stream: 'a/1', transaction: 'c7', holder: 'a/2' },
      next:
        'Nothing was written or sent for this swap, which asks its wallet again after a pause. Make sure that the ' +
        'adapter keeps prepared transactions of different swaps apart.',
      retry: 'later',
    },
  ],
  [
    draining(),
    {
      code: 'RUNTIME_DRAINING',
      shortMessage: 'The node is shutting down and accepts nothing new.',
      facts: {},
      next: 'Nothing was written. Ask again once the node is back.',
      retry: 'later',
    },
  ],
  [
    logUnavailable('a/1', KNOWN),
    {
      code: 'LOG_UNAVAILABLE',
      shortMessage: 'The event log gave no reliable answer.',
      facts: { stream: 'a/1', reason: 'ILLEGAL_EVENT' },
      next: 'Look at the swap again in a moment: the request may have been written anyway.',
      retry: 'later',
      cause: KNOWN,
    },
  ],
  [contested('a/1'), { code: 'LOG_UNAVAILABLE', facts: { stream: 'a/1', reason: 'LOG_CONFLICT' }, retry: 'later' }],
];

describe('a refusal of the runtime', () => {
  it('says what, where, and what to do next, and whether to try again', () => {
    for (const [error, expected] of texts()) {
      expect(error).toBeInstanceOf(RuntimeError);
      expect(error.name).toBe('RuntimeError');
      expect(error).toMatchObject(expected);
    }
  });

  it('that others caused says who', () => {
    expect(contested('a/1').cause).toMatchObject({
      code: 'LOG_CONFLICT',
      shortMessage: 'Others keep writing to the stream.',
      facts: { stream: 'a/1' },
    });
  });

  it('has no unknown cause, since that may quote anything', () => {
    const error = runnerFailed('a/1', new TypeError('a secret 5e5e5e'));
    expect('cause' in error).toBe(false);
    expect(error.message).not.toContain('5e5e5e');
  });
});

describe('where a fault was', () => {
  const whereOf = (stack: string | undefined) =>
    runnerFailed('a/1', Object.assign(new TypeError('x'), { stack })).facts['where'];

  it('is the place of its first line, without the folders of the machine', () => {
    expect(whereOf('TypeError: x\n    at run (/home/user/app/dist/run.js:3:7)\n    at go (/b/c.js:1:1)')).toBe(
      'run (run.js:3:7)',
    );
    expect(whereOf('TypeError: x\n    at run (C:\\Users\\me\\run.js:3:7)')).toBe('run (run.js:3:7)');
    expect(whereOf('    at run (run.js:3:7)')).toBe('run (run.js:3:7)');
    expect(whereOf('TypeError: look at me\n    at file:///a/b.js:1:2')).toBe('b.js:1:2');
  });

  it('is not known without one', () => {
    expect(whereOf('TypeError: x')).toBeUndefined();
    expect(whereOf(undefined)).toBeUndefined();
    expect(runnerFailed('a/1', 'a text').facts).toEqual({ stream: 'a/1', reason: 'string', where: undefined });
  });
});

describe('why something failed, in short', () => {
  it('is a code, or the kind of the error with its code', () => {
    expect(shortReason(KNOWN)).toBe('ILLEGAL_EVENT');
    expect(shortReason(new RangeError('https://user:password@node'))).toBe('RangeError');
    expect(shortReason(withCode(new Error('x'), 'ENOSPC'))).toBe('Error ENOSPC');
    expect(shortReason(withCode(new Error('x'), 7))).toBe('Error');
    expect([shortReason('text'), shortReason(null), shortReason(undefined), shortReason({ code: 'X' })]).toEqual([
      'string',
      'object',
      'undefined',
      'object',
    ]);
  });

  it('tells a conflict, a refusal and damage of a log apart, by the error and not by its form', () => {
    const conflict = new LogConflictError({ stream: 'a/1', expected: 0, actual: 1 });
    const damage = new LogDamagedError('The seal is wrong.', { stream: 'a/1', next: 'Look.' });
    const refused = new SwapfoldError('too long', { code: 'LOG_RECORD_INVALID' });
    const rest = [KNOWN, new Error('x'), null, 'LOG_CONFLICT'];
    const looks = ['LOG_CONFLICT', 'LOG_DAMAGED', 'LOG_RECORD_INVALID'].map((code) => withCode(new Error('x'), code));
    const all = [conflict, damage, refused, ...rest, ...looks];
    expect(all.filter(isConflict)).toEqual([conflict]);
    expect(all.filter(isDamage)).toEqual([damage]);
    expect(all.filter(isRefused)).toEqual([refused]);
  });
});
