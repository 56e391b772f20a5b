import { useEffect, useRef, useState } from 'preact/hooks';
import { statusOf } from '../../../core/counts.ts';
import { t } from '../../../core/language.ts';
import { OUTCOME_TONES } from '../../../core/outcome-tones.ts';
import { needsWork } from '../../../core/row-text.ts';
import type { IssueGroup, Plan } from '../../contract/answers.ts';
import type { RowsWish } from '../../contract/asked.ts';
import { figure, said, say, sayCount } from '../language.ts';
import { Chip } from '../pieces/button.tsx';
import { type Option, Select } from '../pieces/field.tsx';
import { useKey } from '../pieces/keys-help.tsx';
import { createdWord, outcomeWord, toneOf } from '../pieces/status-pill.tsx';
import { ALL_ROWS, type RowSource } from './row-source.ts';

interface FilterProps {
  readonly wish: RowsWish;
  readonly onWish: (wish: RowsWish) => void;
  readonly source: RowSource;
  readonly plan: Plan | null;
  /** The counts are of what would be. */
  readonly would: boolean;
  /** Cells corrected and conflicts decided. */
  readonly corrections: number;
  /** It is sent now: what is not sent yet asks for nothing. */
  readonly busy: boolean;
}

/** Which rows are shown: by what would become of them, by problem, by sheet, by words. */
export function RowsFilter(props: FilterProps) {
  const { wish, onWish, source, plan } = props;
  const [counts, total] = [source.counts.value, source.total.value];
  const told =
    total === 0
      ? say('No row matches.', 'Geen enkele rij voldoet.')
      : total === counts?.read
        ? sayCount(total, t('1 row', '1 rij'), t('{n} rows', '{n} rijen'))
        : say(
            `${figure(total ?? 0)} of ${figure(counts?.read ?? 0)} rows`,
            `${figure(total ?? 0)} van ${figure(counts?.read ?? 0)} rijen`,
          );
  return (
    <search class="rows-filter" aria-label={say('Which rows', 'Welke rijen')}>
      <Chips {...props} />
      <Groups {...props} />
      <div class="row">
        <Search wish={wish} onWish={onWish} />
        {plan !== null && plan.sheets.length > 1 && (
          <Select
            {...{ bare: true, label: say('Sheet', 'Werkblad'), value: wish.sheet ?? '' }}
            groups={[
              [
                null,
                [
                  ['', say('Every sheet', 'Elk werkblad')],
                  ...plan.sheets.map(({ sheet }): Option => [sheet, sheet]),
                ],
              ],
            ]}
            onValue={(sheet) => onWish({ ...wish, sheet: sheet || null })}
          />
        )}
        <span class="told dim figures" role="status">
          {source.changing.value && wish.search !== ''
            ? say('searching …', 'zoekt …')
            : total === null
              ? ''
              : told}
        </span>
      </div>
    </search>
  );
}

function Chips({ wish, onWish, source, plan, would, corrections, busy }: FilterProps) {
  const counts = source.counts.value;
  const names = (Object.keys(OUTCOME_TONES) as (keyof typeof OUTCOME_TONES)[]).flatMap((name) => {
    const count = counts !== null && name in counts ? counts[name as keyof typeof counts] : 0;
    const status = statusOf(name, would);
    return count > 0 || wish.status.includes(status) ? [{ name, count, status }] : [];
  });
  const work = names.reduce((sum, { count, status }) => sum + (needsWork(status) ? count : 0), 0);
  const isAll =
    JSON.stringify(wish) === JSON.stringify({ ...ALL_ROWS, sort: wish.sort, descending: wish.descending });
  const warned = plan?.warned.rows ?? 0;
  const chip = (on: boolean, count: number | null, word: string, tone: string, to: Partial<RowsWish>) => (
    <Chip key={word} on={on} onPress={() => onWish({ ...wish, ...to })}>
      {count !== null && <b class={`figures ${tone}-text`}>{figure(count)}</b>} {word}
    </Chip>
  );
  return (
    <div class="row">
      {chip(isAll, counts?.read ?? null, say('All rows', 'Alle rijen'), '', {
        ...ALL_ROWS,
        sort: wish.sort,
        descending: wish.descending,
      })}
      {((work > 0 && !busy) || wish.work) &&
        chip(
          wish.work,
          work,
          said(work === 1 ? t('needs work', 'vraagt werk') : t('need work', 'vragen werk')),
          'bad',
          { work: !wish.work },
        )}
      {names.map(({ name, count, status }) => {
        const isOn = wish.status.includes(status);
        const others = wish.status.filter((one) => one !== status);
        const word =
          name === 'created'
            ? createdWord(plan?.sheets ?? [], would)
            : outcomeWord(name, would && status !== name);
        return chip(isOn, count, word, toneOf(name), { status: isOn ? others : [...others, status] });
      })}
      {(warned > 0 || wish.warned) &&
        chip(wish.warned, warned, say('with a warning', 'met een waarschuwing'), 'warn', {
          warned: !wish.warned,
        })}
      {(corrections > 0 || wish.replaced) &&
        chip(wish.replaced, null, say('corrected', 'verbeterd'), '', { replaced: !wish.replaced })}
    </div>
  );
}

function Groups({ wish, onWish, plan }: FilterProps) {
  if (plan === null || plan.groups.length === 0) return null;
  const issueOf = ({ sheet, code, field, cause }: IssueGroup) => ({ sheet, code, field, cause });
  const chosen = JSON.stringify(wish.issue);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be scrolled by keyboard too.
    <ul class="groups" aria-label={say('Problems', 'Problemen')} tabIndex={0}>
      {plan.groups.map((group) => {
        const issue = issueOf(group);
        const isOn = JSON.stringify(issue) === chosen;
        return (
          <li key={JSON.stringify([issue, group.severity])}>
            <button
              type="button"
              class={group.severity === 'error' ? 'bad-text' : 'warn-text'}
              aria-pressed={isOn}
              onClick={() => onWish({ ...wish, issue: isOn ? null : issue })}
            >
              <b>{sayCount(group.count, t('1 cell', '1 cel'), t('{n} cells', '{n} cellen'))}</b> {group.sheet}{' '}
              · {group.message}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Rest after typing until rows are searched for, ms. */
const TYPING_MS = 180;

function Search({ wish, onWish }: Pick<FilterProps, 'wish' | 'onWish'>) {
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef({ wish, onWish });
  latest.current = { wish, onWish };
  const [text, setText] = useState(wish.search);
  // What is typed meanwhile stays: only a search that came from elsewhere is shown.
  const sent = useRef(wish.search);
  useEffect(() => {
    if (wish.search !== sent.current) setText(wish.search);
    sent.current = wish.search;
  }, [wish.search]);
  useEffect(() => {
    if (text === latest.current.wish.search) return;
    const wait = setTimeout(() => {
      sent.current = text.slice(0, 200);
      latest.current.onWish({ ...latest.current.wish, search: sent.current });
    }, TYPING_MS);
    return () => clearTimeout(wait);
  }, [text]);
  useKey('/', () => field.current?.focus());
  return (
    <input
      ref={field}
      type="search"
      value={text}
      aria-label={say('Search', 'Zoeken')}
      placeholder={say('Search: name, key, value …', 'Zoek: naam, sleutel, waarde …')}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}
