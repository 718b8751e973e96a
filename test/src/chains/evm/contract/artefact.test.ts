import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  swapContractAbi,
  swapContractBytecode,
  swapContractCompiler,
  swapContractDeployedBytecodeHash,
} from '../../../../../src/chains/evm/contract/artefact.ts';
import { type Compiled, compiled } from '../../../../support/evm/compiled.ts';

const ROOT = join(import.meta.dirname, '../../../../..');
const SOURCE = readFileSync(join(ROOT, 'src/chains/evm/contract/SwapfoldHtlc.sol'), 'utf8');
const PAGE = readFileSync(join(ROOT, 'docs/reference/swap-contract.md'), 'utf8');

const keccak = (bytes: Uint8Array) => Buffer.from(keccak_256(bytes)).toString('hex');
const signature = ({ name, inputs }: (typeof swapContractAbi)[number]) =>
  `${name}(${inputs.map(({ type }) => type).join(',')})`;
const named = (type: 'function' | 'event' | 'error') =>
  swapContractAbi
    .filter((item) => item.type === type)
    .map((item) => [signature(item), keccak(Buffer.from(signature(item)))] as const);

describe('the artefact of the swap contract', () => {
  let made: Compiled['SwapfoldHtlc'];
  beforeAll(async () => {
    made = (await compiled()).SwapfoldHtlc;
  });

  it('has the code that the pinned compiler makes of the source', () => {
    expect(swapContractBytecode).toBe(made.bytecode);
    const deployed = Buffer.from(made.deployedBytecode.slice(2), 'hex');
    expect(swapContractDeployedBytecodeHash).toBe(`0x${keccak(deployed)}`);
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(swapContractCompiler.version).toMatch(new RegExp(`^${devDependencies.solc}\\+commit`));
  });

  it('has the interface that the compiler reads from the source', () => {
    const plain = JSON.parse(JSON.stringify(made.abi), (key, value) => (key === 'internalType' ? undefined : value));
    expect(swapContractAbi).toEqual(plain);
  });

  it('fits the limit of EIP-170 for code on a chain', () => {
    expect(made.deployedBytecode.length / 2 - 1).toBeLessThan(24_576);
  });
});

describe('the interface of the swap contract', () => {
  it('has the nine functions of the real contracts, by their selectors, and no other', () => {
    expect(Object.fromEntries(named('function').map(([name, hash]) => [name, hash.slice(0, 8)]))).toEqual({
      'ethPayment(bytes32,address,bytes20,uint64)': '152cf3af',
      'erc20Payment(bytes32,uint256,address,address,bytes20,uint64)': '9b415b2a',
      'receiverSpend(bytes32,uint256,bytes32,address,address)': '02ed292b',
      'senderRefund(bytes32,uint256,bytes20,address,address)': '46fc0294',
      'payments(bytes32)': '0716326d',
      'ethPaymentReward(bytes32,address,bytes20,uint64,uint8,bool,uint256)': '0971fd54',
      'erc20PaymentReward(bytes32,uint256,address,address,bytes20,uint64,uint8,bool,uint256)': '6a322786',
      'receiverSpendReward(bytes32,uint256,bytes32,address,address,address,uint8,bool,uint256)': 'b5985c4d',
      'senderRefundReward(bytes32,uint256,bytes20,address,address,address,uint8,bool,uint256)': 'cd1dde34',
    });
    const others = swapContractAbi.filter(({ type }) => !['function', 'event', 'error'].includes(type));
    expect(others).toEqual([]);
  });

  it('accepts ether only in payments, and reads payments as hash, lock time and state', () => {
    const functions = swapContractAbi.filter((item) => item.type === 'function');
    const payable = functions.filter(({ stateMutability }) => stateMutability === 'payable');
    expect(payable.map(({ name }) => name).toSorted()).toEqual([
      'erc20PaymentReward',
      'ethPayment',
      'ethPaymentReward',
    ]);
    const reader = functions.find(({ name }) => name === 'payments');
    expect(reader?.outputs.map(({ name, type }) => `${type} ${name}`)).toEqual([
      ...['bytes20 paymentHash', 'uint64 lockTime', 'uint8 state'],
    ]);
  });

  it('has the three events of the real contracts, by their topics, without an indexed argument', () => {
    expect(Object.fromEntries(named('event'))).toEqual({
      'PaymentSent(bytes32)': 'ccc9c05183599bd3135da606eaaf535daffe256e9de33c048014cffcccd4ad57',
      'ReceiverSpent(bytes32,bytes32)': '36c177bcb01c6d568244f05261e2946c8c977fa50822f3fa098c470770ee1f3e',
      'SenderRefunded(bytes32)': '1797d500133f8e427eb9da9523aa4a25cb40f50ebc7dbda3c7c81778973f35ba',
    });
    const indexed = swapContractAbi.filter((item) => item.type === 'event').flatMap(({ inputs }) => inputs);
    expect(indexed.filter((input) => input.indexed)).toEqual([]);
  });
});

describe('the page for auditors', () => {
  it('names the code, every function and every refusal with its selector', () => {
    expect(PAGE).toContain(swapContractDeployedBytecodeHash);
    for (const [name, hash] of named('function')) expect(PAGE, name).toContain(`| \`${hash.slice(0, 8)}\` |`);
    for (const [name, hash] of named('error')) expect(PAGE).toContain(`| \`${name}\` | \`${hash.slice(0, 8)}\` |`);
  });

  it('finds each numbered rule of the source in the title of a test', () => {
    const rules = [...SOURCE.matchAll(/^\/\/\/ {2}- (SC\d+):/gm)].map(([, rule]) => rule as string);
    const tests = readdirSync(import.meta.dirname).map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'));
    const titles = tests.flatMap((text) => [...text.matchAll(/['`](SC\d+(?:, SC\d+)*): /g)].map(([, cited]) => cited));
    expect(rules.length).toBe(7);
    expect(rules.filter((rule) => !titles.some((cited) => cited?.split(', ').includes(rule)))).toEqual([]);
  });
});
