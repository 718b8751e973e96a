import { describeJudgement } from './judgement-cases.ts';

describeJudgement({ seeds: process.env['SWAPFOLD_CRASH'] === 'all' ? 2000 : 1000 });
