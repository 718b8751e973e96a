import { describeJudgement } from './judgement-cases.ts';

describeJudgement({ seeds: 2000 });
