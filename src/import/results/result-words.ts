import { type Bilingual, t } from '../../core/language.ts';
import type { Plan } from '../plan/plan-import.ts';
import { type SheetCounts, totalCounts } from '../plan/plan-report.ts';

/** The words that a summary and a report share. */
export const RESULT_WORDS = {
  file: t('File', 'Bestand'),
  service: t('Service', 'Systeem'),
  run: t('Run', 'Run'),
  sheet: t('Sheet', 'Werkblad'),
  total: t('Total', 'Totaal'),
  next: t('What to do next', 'Wat je nu kunt doen'),
  problems: t('What needs attention', 'Wat aandacht vraagt'),
  oddities: t('Read in a way you may not expect', 'Gelezen op een manier die je misschien niet verwacht'),
  column: t('Column', 'Kolom'),
  times: t('Times', 'Aantal'),
  what: t('What', 'Wat'),
  cells: t('First cells', 'Eerste cellen'),
  records: t('First records', 'Eerste records'),
} as const;

/** What a reader may do next with a run: why, and the command that does it where one is needed. */
export interface NextText {
  readonly why: Bilingual;
  readonly command: string | null;
}

/**
 * What to do after a run, or after the plan of one, as its result and its report say it: correct what went
 * wrong, send what was planned, or take back what was sent.
 */
export function nextTexts(plan: Plan, sheets: readonly SheetCounts[], dryRun: boolean): NextText[] {
  const { created, updated, deleted, invalid, failed } = totalCounts(sheets);
  const taken = plan.recognised.flatMap((entry) => (entry.kind === 'import' ? [entry.mapping.resource] : []));
  const isImport = taken.every(({ command }) => command === undefined);
  const wrote = !dryRun && isImport && created + updated + deleted > 0;
  return [
    ...(invalid + failed > 0 ? [{ why: isImport ? CORRECT : CORRECT_ONLY, command: null }] : []),
    ...(dryRun && plan.requests > 0 ? [{ why: SEND, command: `catersheet apply ${plan.run}` }] : []),
    ...(wrote ? [{ why: UNDO, command: `catersheet undo ${plan.run}` }] : []),
  ];
}

const CORRECT = t(
  'Correct the red cells of the result and import that file.',
  'Verbeter de rode cellen van het resultaat en importeer dat bestand.',
);
const CORRECT_ONLY = t(
  'Correct the red cells of the result and go on with that file.',
  'Verbeter de rode cellen van het resultaat en ga met dat bestand verder.',
);
/** Why to send a plan as it was shown. */
export const SEND = t('To send exactly this:', 'Om precies dit te versturen:');
/** Why to take a run back. */
export const UNDO = t('To take this run back:', 'Om deze run terug te draaien:');
