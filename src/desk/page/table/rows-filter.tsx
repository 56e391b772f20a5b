import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Counts, statusOf } from '../../../core/counts.ts';
import { t } from '../../../core/language.ts';
import { OUTCOME_TONES, type OutcomeName } from '../../../core/outcome-tones.ts';
import { needsWork } from '../../../core/row-text.ts';
import type { PlanDocument } from '../../contract/documents.ts';
import { figure, say, sayCount } from '../language.ts';
import { Button } from '../pieces/button.tsx';
import { Icon } from '../pieces/icon.tsx';
import { createdWord, type NamedSheet, outcomeWord } from '../pieces/status-pill.tsx';
import { useMedia } from '../pieces/use-media.ts';
import { ALL_ROWS, type RowsWish } from './row-source.ts';
import { isFiltered, issueParts } from './rows-wish.ts';

interface FilterProps {
  readonly wish: RowsWish;
  readonly onWish: (wish: RowsWish) => void;
  readonly counts: Counts | null;
  /** The counts are of what would be. */
  readonly would: boolean;
  readonly sheets: readonly NamedSheet[];
  readonly groups: PlanDocument['groups'];
  /** Rows that the filter leaves; null until it is known. */
  readonly total: number | null;
  /** Rows with a warning; null where there are some, and nobody counted them anew. */
  readonly warned: number | null;
  /** Cells corrected and conflicts decided. */
  readonly corrections: number;
}

const LABEL = t('Which rows', 'Welke rijen');
const CHOSEN = t('some are chosen', 'er is gekozen');
const ALL = t('All rows', 'Alle rijen');
const WORK = t('needs work', 'vraagt werk');
const WORKS = t('need work', 'vragen werk');
const CORRECTED = t('corrected', 'verbeterd');
const WARNED = t('with a warning', 'met een waarschuwing');
const SHEET = t('Sheet', 'Werkblad');
const ANY_SHEET = t('Every sheet', 'Elk werkblad');
const SEARCH = t('Search', 'Zoeken');
const HINT = t('Search: name, key, value …', 'Zoek: naam, sleutel, waarde …');
const SHOWN = t('{n} of {total} rows', '{n} van {total} rijen');
const ROW = t('1 row', '1 rij');
const ROWS = t('{n} rows', '{n} rijen');
const NONE = t('No row matches.', 'Geen enkele rij voldoet.');
const RESET = t('Show all', 'Alles tonen');

/** Rest after typing until rows are searched for, ms. */
const TYPING_MS = 180;

/** Which rows are shown: by what would become of them, by problem, by sheet, by words. */
export function RowsFilter(props: FilterProps): JSX.Element {
  const { wish, onWish, counts, total, sheets } = props;
  const told =
    total === null || counts === null
      ? ''
      : total === 0
        ? say(NONE)
        : total === counts.read
          ? sayCount(total, ROW, ROWS)
          : say(SHOWN, { n: figure(total), total: figure(counts.read) });
  return (
    <search class="rows-filter" aria-label={say(LABEL)}>
      <Which {...props} />
      <div class="find">
        <Search wish={wish} onWish={onWish} />
        {sheets.length > 1 && (
          <select
            aria-label={say(SHEET)}
            value={wish.sheet ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onWish({ ...wish, sheet: value === '' ? null : value })
            }
          >
            <option value="">{say(ANY_SHEET)}</option>
            {sheets.map(({ sheet }) => (
              <option key={sheet} value={sheet}>
                {sheet}
              </option>
            ))}
          </select>
        )}
        <p class="told figures" role="status">
          {told}
        </p>
        {isFiltered(wish) && (
          <Button
            small
            look="plain"
            icon="cross"
            onClick={() => onWish({ ...ALL_ROWS, sort: wish.sort, descending: wish.descending })}
          >
            {say(RESET)}
          </Button>
        )}
      </div>
    </search>
  );
}

/** In a window with little height the rows come first, and what chooses from them is folded. */
const SHORT = '(max-height: 30rem)';
const PROBLEM = t('1 problem', '1 probleem');
const SOME = t('{n} problems', '{n} problemen');

function Which(props: FilterProps): JSX.Element {
  const isShort = useMedia(SHORT);
  const both = (
    <>
      <Chips {...props} />
      <Groups {...props} />
    </>
  );
  const { groups, wish } = props;
  if (!isShort) return both;
  return (
    <details class="which">
      <summary>
        <b>{say(LABEL)}</b>
        {isFiltered(wish) && ` · ${say(CHOSEN)}`}
        {groups.length > 0 && ` · ${sayCount(groups.length, PROBLEM, SOME)}`}
      </summary>
      {both}
    </details>
  );
}

function Chips({ wish, onWish, counts, would, sheets, warned, corrections }: FilterProps): JSX.Element {
  const names = (Object.keys(OUTCOME_TONES) as OutcomeName[]).filter(
    (name): name is OutcomeName & keyof Counts => counts !== null && name in counts,
  );
  const shown = names.filter((name) => (counts?.[name] ?? 0) > 0 || isChosen(wish, name, would));
  const toDo = names.filter((name) => needsWork(statusOf(name, would)));
  const work = toDo.reduce((sum, name) => sum + (counts?.[name] ?? 0), 0);
  const toggle = (name: OutcomeName): void => {
    const status = statusOf(name, would);
    const others = wish.status.filter((one) => one !== status);
    onWish({ ...wish, status: others.length < wish.status.length ? others : [...others, status] });
  };
  return (
    <div class="chips">
      <Chip
        on={!isFiltered(wish)}
        count={counts?.read ?? null}
        word={say(ALL)}
        onClick={() => onWish({ ...ALL_ROWS, sort: wish.sort, descending: wish.descending })}
      />
      {(work > 0 || wish.work) && (
        <Chip
          on={wish.work}
          count={counts === null ? null : work}
          word={say(work === 1 ? WORK : WORKS)}
          tone="bad"
          onClick={() => onWish({ ...wish, work: !wish.work })}
        />
      )}
      {shown.map((name) => (
        <Chip
          key={name}
          on={isChosen(wish, name, would)}
          count={counts?.[name] ?? 0}
          word={name === 'created' ? createdWord(sheets, would) : outcomeWord(name, would && isPlanned(name))}
          tone={OUTCOME_TONES[name]}
          onClick={() => toggle(name)}
        />
      ))}
      {(warned !== 0 || wish.warned) && (
        <Chip
          on={wish.warned}
          count={warned}
          word={say(WARNED)}
          tone="warn"
          onClick={() => onWish({ ...wish, warned: !wish.warned })}
        />
      )}
      {(corrections > 0 || wish.corrected) && (
        <Chip
          on={wish.corrected}
          count={null}
          word={say(CORRECTED)}
          onClick={() => onWish({ ...wish, corrected: !wish.corrected })}
        />
      )}
    </div>
  );
}

const isPlanned = (name: OutcomeName): boolean =>
  name === 'created' || name === 'updated' || name === 'deleted';

const isChosen = ({ status }: RowsWish, name: OutcomeName, would: boolean): boolean =>
  status.includes(statusOf(name, would));

interface ChipProps {
  readonly on: boolean;
  readonly count: number | null;
  readonly word: string;
  readonly tone?: string;
  readonly onClick: () => void;
}

function Chip({ on, count, word, tone = 'plain', onClick }: ChipProps): JSX.Element {
  return (
    <button type="button" class={`chip ${tone}`} aria-pressed={on} onClick={onClick}>
      {count !== null && <b class="figures">{figure(count)}</b>} {word}
    </button>
  );
}

/** Groups of problems that are shown without asking. */
const FEW = 3;
const CELL = t('1 cell', '1 cel');
const CELLS = t('{n} cells', '{n} cellen');
const ONE_MORE = t('1 more problem', 'Nog 1 probleem');
const MORE = t('{n} more problems', 'Nog {n} problemen');
const FEWER = t('Fewer problems', 'Minder problemen');
const PROBLEMS = t('Problems', 'Problemen');

function Groups({ wish, onWish, groups }: FilterProps): JSX.Element | null {
  const [all, setAll] = useState(false);
  if (groups.length === 0) return null;
  const isOn = (group: (typeof groups)[number]): boolean =>
    wish.issue !== null && JSON.stringify(issueParts(wish.issue)) === JSON.stringify(issueParts(group));
  const shown = groups.filter((group, at) => all || at < FEW || isOn(group));
  return (
    <ul class="groups" aria-label={say(PROBLEMS)}>
      {shown.map((group) => {
        const { sheet, code, field, cause, severity, message, count } = group;
        const on = isOn(group);
        return (
          <li key={JSON.stringify([...issueParts(group), severity])}>
            <button
              type="button"
              class={`group ${severity === 'error' ? 'bad' : 'warn'}`}
              aria-pressed={on}
              onClick={() => onWish({ ...wish, issue: on ? null : { sheet, code, field, cause } })}
            >
              <Icon name="warning" />
              <span>
                <b>{sayCount(count, CELL, CELLS)}</b> {sheet} · {message}
              </span>
            </button>
          </li>
        );
      })}
      {groups.length > FEW && (
        <li>
          <Button small look="plain" icon={all ? 'up' : 'down'} onClick={() => setAll(!all)}>
            {all ? say(FEWER) : sayCount(groups.length - FEW, ONE_MORE, MORE)}
          </Button>
        </li>
      )}
    </ul>
  );
}

function Search({ wish, onWish }: Pick<FilterProps, 'wish' | 'onWish'>): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef({ wish, onWish });
  latest.current = { wish, onWish };
  const [text, setText] = useState(wish.search);
  const sent = useRef(wish.search);
  useEffect(() => {
    // What is typed meanwhile stays: only a search that came from elsewhere is shown.
    if (wish.search !== sent.current) setText(wish.search);
    sent.current = wish.search;
  }, [wish.search]);
  useEffect(() => {
    if (text === wish.search) return;
    const wait = setTimeout(() => {
      const { wish: now, onWish: tell } = latest.current;
      sent.current = text.slice(0, 200);
      tell({ ...now, search: sent.current });
    }, TYPING_MS);
    return () => clearTimeout(wait);
  }, [text]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <div class="search">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        value={text}
        aria-label={say(SEARCH)}
        aria-keyshortcuts="/"
        placeholder={say(HINT)}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </div>
  );
}

/** Whether keys are being typed into something. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
