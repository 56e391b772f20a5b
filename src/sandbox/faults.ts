import type { Faults } from './options.ts';
import { createRandom } from './random.ts';

/** What goes wrong with one request. The first four come before anything is done, the last two after it. */
export type Fault = 'reset' | 'status503' | 'html200' | 'html502' | 'lostAnswer' | 'truncate';

export type FaultPicker = (faults: Faults, writes: boolean) => Fault | null;

/**
 * Decides which request meets which fault. Every request takes the same draws from the sequence, so the same
 * requests in the same order meet the same faults, whatever the other chances are.
 */
export function createFaultPicker(seed: number): FaultPicker {
  const random = createRandom(seed);
  return (faults, writes) => {
    const [reset, unavailable, html, page, lost, cut] = [
      random(),
      random(),
      random(),
      random(),
      random(),
      random(),
    ];
    if (faults.onlyWrites && !writes) return null;
    if (reset < faults.reset) return 'reset';
    if (unavailable < faults.status503) return 'status503';
    if (html < faults.html) return page < 0.5 ? 'html200' : 'html502';
    if (lost < faults.lostAnswer) return 'lostAnswer';
    return cut < faults.truncate ? 'truncate' : null;
  };
}
