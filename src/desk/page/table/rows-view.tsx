import { useEffect, useMemo, useRef } from 'preact/hooks';
import { statusOf } from '../../../core/counts.ts';
import { needsWork } from '../../../core/row-text.ts';
import type { Plan, Run } from '../../contract/answers.ts';
import type { RowsWish } from '../../contract/asked.ts';
import { figure, language, say } from '../language.ts';
import { epoch } from '../live.ts';
import { Button, ErrorBox } from '../pieces/controls.tsx';
import { type Option, Select } from '../pieces/field.tsx';
import { useKey } from '../pieces/frame.tsx';
import { createdWord, OUTCOMES, outcomeWord, SheetsShown, toneOf } from '../pieces/status-pill.tsx';
import { RowPanel } from './row-panel.tsx';
import { RowTable } from './row-table.tsx';
import { ALL_ROWS, chooseRows, Rows, wished } from './rows.ts';

interface ViewProps {
  readonly run: Run;
  /** Null where it is not known. */
  readonly plan: Plan | null;
  /** Whether its rows can be corrected. */
  readonly canCorrect?: boolean;
  /** Cells corrected and conflicts decided. */
  readonly corrections?: number;
  /** Whether doubtful rows can be settled. */
  readonly canSettle?: boolean;
  /** Another text each time that the rows may have changed. */
  readonly news?: string;
}

/** The rows of a run: which of them, their table, and the one that is open. */
export function RowsView({ run, plan, canCorrect = false, corrections = 0, canSettle, news }: ViewProps) {
  const rows = useMemo(() => new Rows(run.run, canCorrect), [run.run, canCorrect]);
  const wish = wished();
  const place = rows.place.value;
  useEffect(() => {
    const wait = setTimeout(() => void rows.choose(wish), wish.search === '' ? 0 : TYPING_MS);
    return () => clearTimeout(wait);
  }, [rows, JSON.stringify(wish)]);
  useEffect(() => rows.renew(), [language.value, epoch.value, news]);
  const step = (back: boolean): void =>
    void rows.step(back, document.activeElement?.closest('.row-panel') !== null);
  useKey('n', () => step(false));
  useKey('p', () => step(true));
  useKey('Escape', () => place && rows.close());
  const isWaiting = rows.total.value === null && rows.error.value === null;
  return (
    <SheetsShown.Provider value={plan?.sheets ?? []}>
      <div class={isWaiting ? 'rows-view waits' : 'rows-view'}>
        <RowsFilter
          {...{ rows, plan, corrections }}
          would={run.state === 'planned' || run.state === 'planning'}
          busy={run.busy}
        />
        <ErrorBox error={rows.error.value} onRetry={() => rows.renew()} />
        <div class="rows-beside">
          <RowTable rows={rows} label={say(`Rows of ${run.file}`, `Rijen van ${run.file}`)} />
          {place && <RowPanel key={`${place.row}\0${place.sheet}`} {...{ rows, place, canSettle }} />}
        </div>
      </div>
    </SheetsShown.Provider>
  );
}

interface FilterProps {
  readonly rows: Rows;
  readonly plan: Plan | null;
  /** The counts are of what would be. */
  readonly would: boolean;
  /** Cells corrected and conflicts decided. */
  readonly corrections: number;
  /** It is sent now: what is not sent yet asks for nothing. */
  readonly busy: boolean;
}

/** Which rows are shown: by what would become of them, by problem, by sheet, by words. */
function RowsFilter(props: FilterProps) {
  const { rows, plan } = props;
  const { sheet, search } = wished();
  const total = rows.total.value;
  const read = rows.counts.value?.read ?? 0;
  const told = (): string => {
    if (rows.changing.value && search !== '') return say('searching …', 'zoekt …');
    if (total === null) return '';
    if (total === 0) return say('No row matches.', 'Geen enkele rij voldoet.');
    if (total === read) return say('1 row|{n} rows', '1 rij|{n} rijen', total);
    const [some, all] = [figure(total), figure(read)];
    return say(`${some} of ${all} rows`, `${some} van ${all} rijen`);
  };
  return (
    <search class="rows-filter" aria-label={say('Which rows', 'Welke rijen')}>
      <Chips {...props} />
      {plan !== null && plan.groups.length > 0 && <Groups groups={plan.groups} />}
      <div class="row">
        <Search text={search} />
        {plan !== null && plan.sheets.length > 1 && (
          <Select
            bare
            label={say('Sheet', 'Werkblad')}
            value={sheet ?? ''}
            groups={[
              [null, [['', say('Every sheet', 'Elk werkblad')]]],
              [null, plan.sheets.map((one): Option => [one.sheet, one.sheet])],
            ]}
            onValue={(chosen) => chooseRows({ sheet: chosen || null })}
          />
        )}
        <span class="told dim" role="status">
          {told()}
        </span>
      </div>
    </search>
  );
}

function Chips({ rows, plan, would, corrections, busy }: FilterProps) {
  const wish = wished();
  const counts = rows.counts.value;
  const names = OUTCOMES.flatMap((name) => {
    const count = counts !== null && name in counts ? counts[name as keyof typeof counts] : 0;
    const status = statusOf(name, would);
    return count > 0 || wish.status.includes(status) ? [{ name, count, status }] : [];
  });
  const work = names.reduce((sum, { count, status }) => sum + (needsWork(status) ? count : 0), 0);
  const warned = plan?.warned.rows ?? 0;
  const chip = (on: boolean, count: number | null, word: string, tone: string, to: () => void) => (
    <Button key={word} small look="chip" pressed={on} onClick={to}>
      {count !== null && <b class={`${tone}-text`}>{figure(count)}</b>} {word}
    </Button>
  );
  const flag = (name: 'work' | 'warned' | 'replaced', count: number | null, word: string, tone: string) =>
    chip(wish[name], count, word, tone, () => chooseRows({ [name]: !wish[name] }));
  return (
    <div class="row">
      {chip(rows.total.value === counts?.read, counts?.read ?? null, say('All rows', 'Alle rijen'), '', () =>
        chooseRows(ALL_ROWS),
      )}
      {((work > 0 && !busy) || wish.work) &&
        flag('work', work, say('needs work|need work', 'vraagt werk|vragen werk', work), 'bad')}
      {names.map(({ name, count, status }) => {
        const isOn = wish.status.includes(status);
        const word =
          name === 'created'
            ? createdWord(plan?.sheets.filter((one) => one.counts.created > 0) ?? [], would)
            : outcomeWord(name, would && status !== name);
        return chip(isOn, count, word, toneOf(name), () =>
          chooseRows({
            status: isOn ? wish.status.filter((one) => one !== status) : [...wish.status, status],
          }),
        );
      })}
      {(warned > 0 || wish.warned) &&
        flag('warned', warned, say('with a warning', 'met een waarschuwing'), 'warn')}
      {(corrections > 0 || wish.replaced) && flag('replaced', null, say('corrected', 'verbeterd'), '')}
    </div>
  );
}

function Groups({ groups }: Pick<Plan, 'groups'>) {
  const chosen = JSON.stringify(wished().issue);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be scrolled by keyboard too.
    <ul class="groups" aria-label={say('Problems', 'Problemen')} tabIndex={0}>
      {groups.map(({ sheet, code, field, cause, severity, count, message }) => {
        const issue: RowsWish['issue'] = { sheet, code, field, cause };
        const key = JSON.stringify(issue);
        return (
          <li key={`${key} ${severity}`}>
            <button
              type="button"
              class={severity === 'error' ? 'bad-text' : 'warn-text'}
              aria-pressed={key === chosen}
              onClick={() => chooseRows({ issue: key === chosen ? null : issue })}
            >
              <b>{say('1 cell|{n} cells', '1 cel|{n} cellen', count)}</b> {sheet} · {message}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Rest after typing until rows are searched for, ms. */
const TYPING_MS = 180;

function Search({ text }: { readonly text: string }) {
  const field = useRef<HTMLInputElement>(null);
  useKey('/', () => field.current?.focus());
  return (
    <input
      ref={field}
      type="search"
      value={text}
      aria-label={say('Search', 'Zoeken')}
      placeholder={say('Search (/): name, key, value …', 'Zoek (/): naam, sleutel, waarde …')}
      onInput={({ currentTarget }) => chooseRows({ search: currentTarget.value })}
    />
  );
}
