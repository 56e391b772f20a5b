import type { JSX } from 'preact';
import { type Counts, shownName, shownTotal } from '../../../../core/counts.ts';
import { t } from '../../../../core/language.ts';
import { OUTCOME_TONES, type OutcomeName } from '../../../../core/outcome-tones.ts';
import type { PlanDocument } from '../../../contract/documents.ts';
import { figure, say } from '../../language.ts';
import { outcomeWord } from '../../pieces/status-pill.tsx';

const TITLE = t('What is sent', 'Wat er verstuurd wordt');
const SHEET = t('Sheet', 'Werkblad');
const TOTAL = t('Total', 'Totaal');

/** Counts of rows that send something. */
const SENT: readonly (keyof Counts)[] = ['created', 'updated', 'deleted'];

type SheetPlan = PlanDocument['sheets'][number];

/** How many rows of each sheet create, update and delete. */
export function SendTable({ plan }: { readonly plan: PlanDocument }): JSX.Element {
  const each = plan.sheets
    .filter(({ counts }) => SENT.some((name) => counts[name] > 0))
    .map((sheet) => ({ ...sheet, total: totalOf([sheet]) }));
  const total = totalOf(plan.sheets);
  const names = (Object.keys(total) as (keyof typeof total)[]).filter(
    (name): name is OutcomeName => total[name] > 0,
  );
  return (
    <table class="counts-table">
      <caption>{say(TITLE)}</caption>
      <thead>
        <tr>
          <th scope="col">{say(SHEET)}</th>
          {names.map((name) => (
            <th key={name} scope="col">
              {outcomeWord(name, true)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {each.map((sheet) => (
          <tr key={sheet.sheet}>
            <th scope="row">{sheet.sheet}</th>
            {names.map((name) => (
              <CountCell key={name} name={name} count={sheet.total[name]} />
            ))}
          </tr>
        ))}
        {each.length > 1 && (
          <tr class="total">
            <th scope="row">{say(TOTAL)}</th>
            {names.map((name) => (
              <CountCell key={name} name={name} count={total[name]} />
            ))}
          </tr>
        )}
      </tbody>
    </table>
  );
}

function CountCell({ name, count }: { readonly name: OutcomeName; readonly count: number }): JSX.Element {
  if (count === 0) return <td class="dim">0</td>;
  const tone = name === 'deleted' ? 'bad' : OUTCOME_TONES[name];
  return (
    <td>
      <span class={`pill ${tone}`}>{figure(count)}</span>
    </td>
  );
}

/** What rows send, by the names that people are shown. */
function totalOf(sheets: readonly SheetPlan[]): Record<keyof ReturnType<typeof shownTotal>, number> {
  const total = shownTotal([]);
  for (const { counts, made } of sheets)
    for (const name of SENT) total[shownName(name, made ?? undefined)] += counts[name];
  return total;
}
