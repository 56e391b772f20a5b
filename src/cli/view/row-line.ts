import { SHOWN_WORDS, shownName } from '../../core/counts.ts';
import type { Language } from '../../core/language.ts';
import type { RowResult } from '../../core/plan.ts';
import { aboutText, messageText, shownChanges } from '../../core/row-text.ts';
import { countOf } from '../../import/apply/apply-plan.ts';
import { allSheets } from '../../resources/registry.ts';
import { madeIn } from '../../schema/made.ts';
import { moneyIn } from '../../schema/money.ts';

const isMoney = moneyIn(allSheets);
const madeBy = madeIn(allSheets);

/** One row of a run: its place, status and message, and what it changes; `brief`: without that. */
export function rowText(row: RowResult, dryRun: boolean, language: Language, brief = false): string {
  const { planned, outcome } = row;
  const id = outcome?.id ?? planned.id;
  const name = shownName(countOf(row, dryRun), madeBy(planned.resource));
  const status = SHOWN_WORDS[name][dryRun ? 'would' : 'done'][language];
  const isNamed = id === null || Object.values(planned.about?.key ?? {}).includes(id);
  const about = aboutText(planned);
  const place = `${planned.sheet} ${planned.row}${about === '' ? '' : ` ${about}`}`;
  const head = `  ${place}: ${status}${isNamed ? '' : ` (${id})`}`;
  const message = messageText(row, language);
  // What a count changes its message tells.
  const changes =
    brief || planned.action === 'create'
      ? []
      : shownChanges(planned, { language, locale: language, isMoney });
  const said = [
    ...(message === '' ? [] : message.split('\n')),
    ...changes.map(({ field, from, to }) => `${field}: ${from} → ${to}`),
  ];
  return said.length === 0 ? head : `${head}: ${said.join('; ').replaceAll('.; ', '. ')}`;
}
