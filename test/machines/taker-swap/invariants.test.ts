import { describeInvariants } from '../../support/swap-invariants.ts';

describeInvariants('taker', ['T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7', 'T8', 'T9', 'T10', 'T11']);
