import { t } from '../../core/language.ts';

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
