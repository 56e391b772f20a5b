import { daysText } from '../core/codecs/moment.ts';
import { requestsText } from '../core/counts.ts';
import type { Language } from '../core/value.ts';
import { Decimal } from '../finance/decimal.ts';
import type { FinanceResult } from '../finance/export-finance.ts';
import { amountText } from '../finance/finance-texts.ts';
import { say, WORDS } from './words.ts';

/** What a finance export wrote, what it came to, and what changed since the last one of the same days. */
export function financeText(result: FinanceResult, language: Language): string {
  const { file, service, period, all, sheets, sums, notes, requests, ms } = result;
  const days = daysText(period.from, period.to)[language];
  const which = say(all ? WORDS.allEvents : WORDS.definitiveEvents, language);
  return [
    say(WORDS.exportOf, language, { days, which, service }),
    `${say(WORDS.exported, language)}: ${file}`,
    ...sheets.map(({ sheet, rows }) => `  ${sheet}: ${rows}`),
    `  ${say(WORDS.revenue, language)}: ${shown(sums.revenue, language)}`,
    ...changesText(result, language),
    ...notes.map((note) => `  ${note[language]}`),
    `${requestsText(requests)[language]}, ${(ms / 1000).toFixed(1)} s`,
  ].join('\n');
}

function changesText({ changes, sums }: FinanceResult, language: Language): string[] {
  if (changes === null) return [];
  const { since, counts } = changes;
  const count = (what: 'added' | 'removed' | 'changed'): number =>
    Object.values(counts).reduce((sum, one) => sum + one[what], 0);
  const [added, removed, changed] = [count('added'), count('removed'), count('changed')];
  const same = added + removed + changed === 0;
  const [was, now] = [shown(since.sums.revenue, language), shown(sums.revenue, language)];
  const words = same ? WORDS.sameAsBefore : WORDS.otherThanBefore;
  return [`  ${say(words, language, { at: since.at, added, removed, changed, was, now })}`];
}

const shown = (amount: string, language: Language): string =>
  amountText(Decimal.of(amount) ?? Decimal.ZERO, language);
