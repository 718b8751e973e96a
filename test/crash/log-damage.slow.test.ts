import { describeDamage } from './damage-cases.ts';

describeDamage({ times: 50, walTimes: 8 });
