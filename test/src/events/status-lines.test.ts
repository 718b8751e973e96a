import { describe, expect, it } from 'vitest';
import { makerEventTypes } from '../../../src/events/maker.ts';
import { statusLine } from '../../../src/events/status-lines.ts';
import { takerEventTypes } from '../../../src/events/taker.ts';

describe('status lines', () => {
  it('are written as the words of the event type, with few exceptions', () => {
    const words = (type: string) => {
      const text = type.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).trim();
      return `${text[0]?.toUpperCase()}${text.slice(1)}...`;
    };
    const odd = (role: 'taker' | 'maker', types: readonly string[]) =>
      types.filter((type) => statusLine(role, { type }) !== words(type));
    expect(odd('taker', takerEventTypes)).toEqual([
      'MakerPaymentWaitConfirmFailed',
      'TakerPaymentWaitConfirmFailed',
      'MakerPaymentSpendConfirmed',
      'TakerPaymentWaitRefundStarted',
      'Finished',
    ]);
    expect(odd('maker', makerEventTypes)).toEqual([
      'MakerPaymentTransactionFailed',
      'MakerPaymentDataSendFailed',
      'MakerPaymentWaitConfirmFailed',
      'TakerPaymentWaitConfirmFailed',
      'MakerPaymentWaitRefundStarted',
      'Finished',
    ]);
  });

  it('have the wording of the real node if it is an exception', () => {
    expect(statusLine('taker', { type: 'MakerPaymentSpendConfirmed' })).toBe('Maker payment spent confirmed...');
    expect(statusLine('taker', { type: 'MakerPaymentWaitConfirmFailed' })).toBe(
      'Maker payment wait for confirmation failed...',
    );
    expect(statusLine('maker', { type: 'MakerPaymentTransactionFailed' })).toBe('Maker payment failed...');
    expect(statusLine('maker', { type: 'Finished' })).toBe('Finished');
  });

  it('name the end of a refund wait, and an unknown event by its type', () => {
    const data = { wait_until: 1_638_995_940 };
    expect(statusLine('taker', { type: 'TakerPaymentWaitRefundStarted', data })).toBe(
      'Taker payment wait refund till 1638995940 started...',
    );
    expect(statusLine('maker', { type: 'MakerPaymentWaitRefundStarted', data: { wait_until: null } })).toBe(
      'Maker payment wait refund till unknown started...',
    );
    expect(statusLine('maker', { type: 'SomethingNew', data: {} })).toBe('SomethingNew');
  });
});
