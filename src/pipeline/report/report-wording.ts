import type { ValueWording } from '../../schema/row-text.ts';

/** How a report is worded: in which language, with which numbers, and as what was done or what would be. */
export interface ReportWording extends ValueWording {
  readonly dryRun: boolean;
}
