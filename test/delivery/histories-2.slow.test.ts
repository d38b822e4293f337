import { histories } from './histories.ts';

histories(1);
