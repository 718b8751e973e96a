import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { StreamLabels } from '../../ports/event-log.ts';
import { definedOf, machineOf } from '../labels.ts';
import type { Parameter } from './connection.ts';

/** Fields of a record as the file holds them: data as canonical JSON text. */
export type SealedFields = {
  readonly stream: string;
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly version: number;
  readonly data: string;
  readonly extra: string | null;
};

/** The seal of a record over its stored texts: equals `envelopeHash` over the values, by the native SHA-256. */
export function sealOf(previousHash: string, { stream, seq, at, type, version, data, extra }: SealedFields): string {
  const text = `${previousHash}\n${stream}\n${seq}\n${at}\n${type}\n${version}\n${data}`;
  return hash('sha256', extra === null ? text : `${text}\n${extra}`);
}

/**
 * Guards what the hash of a record leaves out: its position, and the name that the first record of a stream carries. Changing
 * any one of them, or the hash, changes it.
 */
export function recordSum(position: number, hashHex: string, name: string | null): number {
  const sum = startOf(hashHex) ^ spread(position, 1);
  return (name === null ? sum : sum ^ crc32(name)) >>> 0;
}

/** The first four bytes of a hash. */
function startOf(hashHex: string): number {
  return Number.parseInt(hashHex.slice(0, 8), 16);
}

const HIGH = 2 ** 32;

/** Spreads a whole number over 32 bits, differently for each place; no two numbers below 2^32 give the same. */
function spread(value: number, place: number): number {
  return Math.imul(value, 0x9e37_79b1 + 2 * place) ^ Math.imul(Math.floor(value / HIGH), 0x85eb_ca6b + 2 * place);
}

/** The identity of a stream, and its labels: a row of `streams`. */
export type StreamName = {
  /** Position of the first record. */
  readonly id: number;
  readonly name: string;
  readonly firstAt: number;
  readonly labels: StreamLabels;
};

/** Where a stream ends: a row of `tips`. */
export type StreamTip = {
  readonly id: number;
  /** Count of records. */
  readonly length: number;
  /** Hash of the last record. */
  readonly hash: string;
  readonly lastAt: number;
};

/** What the log notes about a stream beside its records. */
export type StreamHead = StreamName & StreamTip;

/** Guards a row of `streams`: its CRC-32. */
export function nameSum({ id, name, firstAt, labels }: StreamName): number {
  const { makerCoin = null, takerCoin = null, outcome = null, state = null, finished = null } = labels;
  return crc32(`${id} ${firstAt} ${name}\n${makerCoin}\n${takerCoin}\n${outcome}\n${state}\n${finished}`);
}

/** Guards a row of `tips`: changing any one column changes it. */
export function tipSum({ id, length, hash: last, lastAt }: StreamTip): number {
  return (startOf(last) ^ spread(id, 1) ^ spread(length, 2) ^ spread(lastAt, 3)) >>> 0;
}

/** Labels as column values, absent without a value. */
export function labelsOf(columns: {
  readonly makerCoin: string | undefined;
  readonly takerCoin: string | undefined;
  readonly outcome: string | undefined;
  readonly state: string | undefined;
  /** 0 or 1. */
  readonly finished: number | null;
}): StreamLabels {
  const { makerCoin, takerCoin, outcome, state, finished } = columns;
  return definedOf({ makerCoin, takerCoin, outcome, state, finished: finished === null ? undefined : finished === 1 });
}

/** Columns of a row of `streams`. */
export function nameColumns(stream: StreamName): readonly Parameter[] {
  const { id, name, firstAt, labels } = stream;
  const { makerCoin = null, takerCoin = null, outcome = null, state = null, finished } = labels;
  const flag = finished === undefined ? null : finished ? 1 : 0;
  return [id, name, machineOf(name), firstAt, makerCoin, takerCoin, outcome, state, flag, nameSum(stream)];
}

/** Columns of a row of `tips`. */
export function tipColumns(tip: StreamTip): readonly Parameter[] {
  const { id, length, hash: last, lastAt } = tip;
  return [id, length, Buffer.from(last, 'hex'), lastAt, tipSum(tip)];
}
