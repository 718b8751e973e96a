import { chainRules } from './chain.ts';
import { detailAddressesRule } from './detail-addresses.ts';
import { evmAmountRule, evmCallRule, evmContractRule, evmSwapIdRule, evmTermsRule } from './evm-payments.ts';
import { dexFeeRule } from './fees.ts';
import { foreignMembersRule } from './foreign-members.ts';
import { conflictRule, fundingRule, payerKeyRule } from './funding.ts';
import { eventNamesRule, flagsRule, headTermsRule, headUuidRule, myInfoRule, pricesRule } from './head.ts';
import { keyFormRule, peerIdRule } from './identities.ts';
import { lockDurationRule, makerWaitRule, ownLockRule, peerLockRule, waitUntilRule } from './lock-times.ts';
import { paymentAmountRule, paymentHashOutputRule, paymentScriptRule } from './payments.ts';
import type { AuditRule, SwapRule } from './rule.ts';
import { claimSecretRule, secretHashFormRule, secretRule } from './secrets.ts';
import { sharingRules } from './sharing.ts';
import { refundLockRule, spendOutpointRule, spendScriptRule, spendValueRule } from './spends.ts';
import { deadlineRule, discoveryRule, eventOrderRule, refundTimeRule, startTimeRule } from './timeline.ts';
import { tradeFeeCoinRule } from './trade-fees.ts';
import { transactionDetailsRule } from './transaction-details.ts';
import { transactionIdRule } from './transaction-ids.ts';
import { refundPreimageRule, spendPreimageRule } from './watchers.ts';

/** A subject of the audit with its checks, in the order of the report. */
export type AuditSubject = { readonly title: string; readonly rules: readonly SwapRule[] };

/** Every check of a stored swap. */
export const auditSubjects: readonly AuditSubject[] = [
  {
    title: 'Transactions',
    rules: [transactionIdRule, fundingRule, payerKeyRule, conflictRule, transactionDetailsRule, detailAddressesRule],
  },
  { title: 'Payments', rules: [paymentScriptRule, paymentAmountRule, paymentHashOutputRule] },
  { title: 'Secret', rules: [secretRule, secretHashFormRule, claimSecretRule] },
  { title: 'Claims and refunds', rules: [spendOutpointRule, spendScriptRule, refundLockRule, spendValueRule] },
  { title: 'EVM swap contract', rules: [evmCallRule, evmContractRule, evmSwapIdRule, evmTermsRule, evmAmountRule] },
  { title: 'Fees', rules: [dexFeeRule, tradeFeeCoinRule] },
  {
    title: 'Lock times',
    rules: [lockDurationRule, ownLockRule, peerLockRule, makerWaitRule, waitUntilRule],
  },
  {
    title: 'Events and their times',
    rules: [startTimeRule, eventOrderRule, refundTimeRule, deadlineRule, discoveryRule],
  },
  { title: 'Watchers', rules: [spendPreimageRule, refundPreimageRule] },
  { title: 'Parties', rules: [keyFormRule, peerIdRule] },
  {
    title: 'File',
    rules: [headUuidRule, headTermsRule, myInfoRule, flagsRule, pricesRule, eventNamesRule, foreignMembersRule],
  },
];

/** Every check of a stored swap, in the order of the report. */
export const auditRules: readonly SwapRule[] = auditSubjects.flatMap(({ rules }) => rules);

/** Everything that the audit can report, with its documentation. */
export const documentedRules: readonly { readonly title: string; readonly rules: readonly AuditRule[] }[] = [
  ...auditSubjects,
  { title: 'Swaps that are read together', rules: sharingRules },
  { title: 'Chained records', rules: chainRules },
];
