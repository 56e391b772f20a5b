import { extname } from 'node:path';
import { EXIT, StopError } from '../../../errors.ts';
import type { Bilingual, Language, Locale } from '../../../schema/value.ts';
import { periodOf } from '../wished-moments.ts';
import type { SelectionWishes } from '../wished-selection.ts';
import type { FinanceKind } from './remembered.ts';

/** What the user asked for, as texts. */
export interface FinanceWishes extends Pick<SelectionWishes, 'from' | 'to'> {
  /** All events, not the definitive ones alone. */
  readonly all?: boolean | undefined;
  /** A workbook's name; after the period when absent. */
  readonly out?: string | undefined;
}

/** Which finance export is asked for, the workbook it goes to, and how its days were read where that is to be said. Throws StopError with EXIT.usage. */
export function financeRequest(
  { from, to, all = false, out }: FinanceWishes,
  { locale, language }: { readonly locale: Locale; readonly language: Language },
): { readonly kind: FinanceKind; readonly file: string; readonly notes: readonly Bilingual[] } {
  const period = periodOf(from, to, locale);
  if (period === null) throw stop(NO_PERIOD, NO_PERIOD_NEXT);
  const { days, notes } = period;
  const kind = { ...days, all };
  const file = out ?? `${NAMES[language]}-${days.from}-${days.to}${all ? ALL[language] : ''}.xlsx`;
  if (extname(file).toLowerCase() !== '.xlsx') throw stop(noBook(file), NO_BOOK_NEXT);
  return { kind, file, notes };
}

const NAMES: Bilingual = { en: 'revenue', nl: 'omzet' };
const ALL: Bilingual = { en: '-all', nl: '-alle' };

const stop = (message: Bilingual, next: Bilingual): StopError => new StopError(EXIT.usage, message, { next });

const NO_PERIOD: Bilingual = {
  en: 'A finance export is of a period.',
  nl: 'Een financiële export gaat over een periode.',
};
const NO_PERIOD_NEXT: Bilingual = {
  en: 'Write it as in --from 2026-11-01 --to 2026-11-30.',
  nl: 'Schrijf die zoals in --from 2026-11-01 --to 2026-11-30.',
};
const noBook = (file: string): Bilingual => ({
  en: `A finance export is one workbook of several sheets; ${file === '-' ? 'stdout' : file} can’t hold it.`,
  nl: `Een financiële export is één werkmap met meer werkbladen; ${file === '-' ? 'stdout' : file} kan die niet bevatten.`,
});
const NO_BOOK_NEXT: Bilingual = { en: 'Let --out end in .xlsx.', nl: 'Laat --out eindigen op .xlsx.' };
