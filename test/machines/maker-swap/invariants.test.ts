import { describeInvariants } from '../../support/swap-invariants.ts';

describeInvariants('maker', ['M1', 'M2', 'M3', 'M4', 'M5', 'M6', 'M7', 'M8', 'M9', 'M10', 'M11', 'M12']);
