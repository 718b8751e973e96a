import { expect, it } from 'vitest';
import { millisOf } from '../../../../src/primitives/time.ts';
import { WrongCallers } from '../../../../src/rpc/smart-chain/wrong-callers.ts';
import { createVirtualClock } from '../../../../src/sim/virtual-clock.ts';
import { keptLog } from './small-methods.ts';

const START = 1_000;

function watch() {
  const clock = createVirtualClock(millisOf(START));
  const logger = keptLog();
  const told = () => logger.lines.map(({ fields }) => fields);
  return { clock, wrong: new WrongCallers({ clock, logger }), told };
}

it('wrong credentials are reported once a minute for each address, with their number', () => {
  const { clock, wrong, told } = watch();
  for (let count = 0; count < 1000; count++) wrong.note('127.0.0.1');
  wrong.note('10.0.0.7');
  wrong.note(undefined);
  expect(told()).toEqual([{ from: '127.0.0.1' }, { from: '10.0.0.7' }, { from: undefined }]);
  clock.advanceTo(millisOf(START + 59_999));
  wrong.note('127.0.0.1');
  expect(told()).toHaveLength(3);
  clock.advanceTo(millisOf(START + 60_000));
  wrong.note('127.0.0.1');
  wrong.note('10.0.0.7');
  expect(told().slice(3)).toEqual([{ from: '127.0.0.1', more: 1000 }, { from: '10.0.0.7' }]);
});

it('many addresses are reported as one', () => {
  const { wrong, told } = watch();
  for (let host = 0; host < 10_000; host++) wrong.note(`10.0.${host >> 8}.${host & 255}`);
  expect(told()).toHaveLength(257);
  expect(told().at(-1)).toEqual({ from: 'others' });
});
