import { playSmall } from './rounds.ts';

// On the other core.
playSmall(251, 250);
