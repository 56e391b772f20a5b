import { t } from '../../../core/language.ts';
import { shownPeriod } from '../../../core/shown-moment.ts';
import type { FinanceDocument } from '../../../finance/export-finance.ts';
import { amountText, figure, language, said, say } from '../language.ts';
import { Box } from '../pieces/controls.tsx';
import { Listed, Table } from '../pieces/lists.tsx';

const WORDS = {
  revenue: t('Revenue', 'Omzet'),
  arrangements: t('Arrangements', 'Arrangementen'),
  tripPrices: t('Trips, charged', 'Ritten, berekend'),
  tripCosts: t('Trips, costs', 'Ritten, kosten'),
  distance: t('Distance, km', 'Afstand, km'),
} as const;
const BY = {
  months: t('By month', 'Per maand'),
  locations: t('By location', 'Per locatie'),
  types: t('By type', 'Per type'),
  managers: t('By manager', 'Per manager'),
} as const;
const CHANGES = t(
  '{sheet}: {added} added, {changed} changed, {removed} removed',
  '{sheet}: {added} erbij, {changed} gewijzigd, {removed} weg',
);

/** The overview of a period's revenue: what it comes to, divided four times. */
export function FinanceOverview({ document }: { readonly document: FinanceDocument }) {
  const { sums, totals, period, sheets, complete, changes, notes } = document;
  const events = sheets.find(({ key }) => key === 'events')?.rows ?? 0;
  return (
    <section class="finance" aria-labelledby="finance">
      <h2 id="finance">
        {said(WORDS.revenue)} {shownPeriod(period.from, period.to)[language.value]}
      </h2>
      {!complete && (
        <Box tone="warn">
          {say(
            'Records may be missing: the notes say which.',
            'Er kunnen gegevens ontbreken: bij de opmerkingen staat welke.',
          )}
        </Box>
      )}
      <dl class="sums">
        {(Object.keys(WORDS) as (keyof typeof WORDS)[]).map((name) => (
          <div key={name} class={name === 'revenue' ? 'main' : undefined}>
            <dt>{said(WORDS[name])}</dt>
            <dd>{amountText(sums[name])}</dd>
            {name === 'revenue' && (
              <dd class="dim">{say('1 event|{n} events', '1 evenement|{n} evenementen', events)}</dd>
            )}
          </div>
        ))}
      </dl>
      {events === 0 && <p>{say('No events in this period.', 'Geen evenementen in deze periode.')}</p>}
      <div class="totals">
        {(Object.keys(BY) as (keyof typeof BY)[]).map(
          (by) => totals[by].length > 0 && <Totals key={by} title={said(BY[by])} totals={totals[by]} />,
        )}
      </div>
      {changes !== null && (
        <>
          <h3>{say('Since the last export of this period', 'Sinds de vorige export van deze periode')}</h3>
          <Listed
            items={sheets.map(({ key, sheet }) => {
              const { added, changed, removed } = changes.counts[key];
              const counts = { added: figure(added), changed: figure(changed), removed: figure(removed) };
              return said(CHANGES, { sheet, ...counts });
            })}
          />
        </>
      )}
      {notes.length > 0 && <h3>{say('Notes', 'Opmerkingen')}</h3>}
      <Listed items={notes} />
    </section>
  );
}

interface TotalsProps {
  readonly title: string;
  readonly totals: FinanceDocument['totals'][keyof typeof BY];
}

function Totals({ title, totals }: TotalsProps) {
  // Only how long a bar is: amounts themselves are never floats.
  const most = Math.max(1, ...totals.map(({ amount }) => Number(amount)));
  return (
    <Table
      class="amounts"
      caption={title}
      heads={[say('Name', 'Naam'), say('Events', 'Evenementen'), said(WORDS.revenue)]}
    >
      {totals.map(({ key, name, count, amount }) => (
        <tr key={String(key)}>
          <th scope="row">{name}</th>
          <td>{figure(count)}</td>
          <td>
            {amountText(amount)}{' '}
            <progress aria-hidden="true" max={most} value={Math.max(0, Number(amount))} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
