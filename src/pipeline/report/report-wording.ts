import type { Language } from '../../schema/value.ts';

/** How a report is worded: in which language, and as what was done or what would be. */
export interface ReportWording {
  readonly language: Language;
  readonly dryRun: boolean;
}
