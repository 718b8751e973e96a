import fc from 'fast-check';
import { encodeFunctionData, maxUint256, parseAbi } from 'viem';
import { expect, it } from 'vitest';
import { takenByTokenCall } from '../../../src/htlc/token-effect.ts';

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function decreaseAllowance(address spender, uint256 amount)',
  'function burn(uint256 amount)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
]);
const [from, other, contract] = ['a1'.repeat(20), 'b2'.repeat(20), 'c7'.repeat(20)];
const hex0 = (hex: string): `0x${string}` => `0x${hex}`;
const taken = (data: string) => takenByTokenCall({ data: data.replace(/^0x/, ''), from, contracts: [contract] });
const call = (wanted: Parameters<typeof encodeFunctionData<typeof abi>>[0]) => encodeFunctionData(wanted);

it('a call of a token takes what it moves from the caller, and what it lets anybody but a swap contract take', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, maxUint256), (amount) => {
      const spend = (functionName: 'approve' | 'increaseAllowance' | 'decreaseAllowance' | 'transfer', whose: string) =>
        taken(call({ abi, functionName, args: [hex0(whose), amount] }));
      expect(spend('transfer', other)).toBe(amount);
      expect([spend('approve', other), spend('increaseAllowance', other)]).toEqual([amount, amount]);
      expect([spend('approve', contract), spend('increaseAllowance', contract)]).toEqual([0n, 0n]);
      expect(spend('decreaseAllowance', other)).toBe(0n);
      const moved = (whose: string) =>
        taken(call({ abi, functionName: 'transferFrom', args: [hex0(whose), hex0(contract), amount] }));
      expect([moved(from), moved(other)]).toEqual([amount, 0n]);
    }),
  );
});

it('what other functions take, or calls that deviate from the standard, is unknown', () => {
  const transfer = call({ abi, functionName: 'transfer', args: [hex0(other), 5n] });
  expect(taken('')).toBe(0n);
  expect(taken(call({ abi, functionName: 'burn', args: [5n] }))).toBe('unknown');
  const permit = [hex0(from), hex0(other), 5n, 9n, 27, hex0('1d'.repeat(32)), hex0('1e'.repeat(32))] as const;
  expect(taken(call({ abi, functionName: 'permit', args: permit }))).toBe('unknown');
  for (const odd of [`${transfer}00`, transfer.slice(0, -2), '0xa9059cbb', '0x00']) expect(taken(odd)).toBe('unknown');
});
