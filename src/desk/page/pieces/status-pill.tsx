import { createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import {
  type Counts,
  type Made,
  plannedAs,
  SHOWN_WORDS,
  type ShownCounts,
  shownName,
  statusOf,
} from '../../../core/counts.ts';
import { t } from '../../../core/language.ts';
import { OUTCOME_TONES, type OutcomeName, type Tone } from '../../../core/outcome-tones.ts';
import type { ShownStatus } from '../../../core/plan.ts';
import { figure, language, say } from '../language.ts';
import { hrefOf } from '../router.ts';

/** The outcome that a status of a row stands for, and whether it is one that would be. */
export function outcomeOfStatus(status: string): { readonly name: OutcomeName; readonly would: boolean } {
  if (status === 'not sent') return { name: 'notSent', would: false };
  if (status === 'create' || status === 'update' || status === 'delete')
    return { name: plannedAs(status), would: true };
  return { name: status as Exclude<ShownStatus, 'not sent'> as OutcomeName, would: false };
}

/** The word of an outcome, as the report says it. */
export const outcomeWord = (name: keyof ShownCounts, would: boolean): string =>
  SHOWN_WORDS[name][would ? 'would' : 'done'][language.value];

/** The tone of a row's status. */
export const statusTone = (status: string): Tone => OUTCOME_TONES[outcomeOfStatus(status).name] ?? 'plain';

/** A sheet, with what its creates are called where they make no record. */
export interface NamedSheet {
  readonly sheet: string;
  readonly made?: Made | undefined;
  /** Rows by outcome, as the plan has them. */
  readonly counts?: Counts;
  /** Fields that are amounts of money. */
  readonly money?: readonly string[];
}

/** The sheets of what is shown: rows that post, fetch or upload say so. */
export const SheetsShown = createContext<readonly NamedSheet[]>([]);

const OR = t('{one} or {other}', '{one} of {other}');

/**
 * The word of rows that are created, of one sheet or of all that create some: `to post` where all of these
 * post, `to create or to post` where they differ.
 */
export function createdWord(sheets: readonly NamedSheet[], would: boolean, of?: string): string {
  const own = of === undefined ? sheets : sheets.filter(({ sheet }) => sheet === of);
  const creating = own.filter(({ counts }) => (counts?.created ?? 0) > 0);
  const names = new Set(
    (creating.length === 0 ? own : creating).map(({ made }) => shownName('created', made)),
  );
  return [...(names.size === 0 ? (['created'] as const) : names)]
    .map((name) => outcomeWord(name, would))
    .reduce((one, other) => say(OR, { one, other }));
}

interface StatusProps {
  readonly status: string;
  /** Of rows of this sheet; of all sheets where it is left out. */
  readonly sheet?: string;
  /** Of how many rows; one row alone where it is left out. */
  readonly count?: number;
}

/** What became of a row or some rows, or would, in the report's words and colours. */
export function StatusPill({ status, sheet, count }: StatusProps): JSX.Element {
  const { name, would } = outcomeOfStatus(status);
  const sheets = useContext(SheetsShown);
  const word = name === 'created' ? createdWord(sheets, would, sheet) : outcomeWord(name, would);
  return (
    <span class={`pill ${statusTone(status)}`}>
      {count !== undefined && <b>{figure(count)} </b>}
      {word}
    </span>
  );
}

interface CountProps {
  readonly name: OutcomeName;
  readonly count: number;
  readonly would: boolean;
}

/** A number of rows and what they came to. */
function CountPill({ name, count, would }: CountProps): JSX.Element {
  return (
    <span class={`pill ${OUTCOME_TONES[name]}`}>
      <b>{figure(count)}</b> {outcomeWord(name, would)}
    </span>
  );
}

const isCount = (name: keyof ShownCounts): name is OutcomeName => name !== 'read';

/** The counts of rows that are more than 0, as pills. */
export function Outcomes({
  counts,
  would,
}: {
  readonly counts: ShownCounts;
  readonly would: boolean;
}): JSX.Element {
  const names = (Object.keys(counts) as (keyof ShownCounts)[]).filter(isCount);
  return (
    <>
      {names.map(
        (name) => counts[name] > 0 && <CountPill key={name} name={name} count={counts[name]} would={would} />,
      )}
    </>
  );
}

interface OutcomeLinksProps {
  readonly counts: ShownCounts;
  readonly run: string;
}

/** The counts of a run's rows that are more than 0, each with the way to its rows. */
export function OutcomeLinks({ counts, run }: OutcomeLinksProps): JSX.Element {
  const names = (Object.keys(counts) as (keyof ShownCounts)[]).filter(isCount);
  return (
    <>
      {names.map(
        (name) =>
          counts[name] > 0 && (
            <a key={name} href={hrefOf({ page: 'run', run, query: { status: statusOf(name, false) } })}>
              <CountPill name={name} count={counts[name]} would={false} />
            </a>
          ),
      )}
    </>
  );
}
