import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { plannedAs, SHOWN_WORDS, type ShownCounts, shownName } from '../../../core/counts.ts';
import { OUTCOME_TONES, type OutcomeName } from '../../../core/outcome-tones.ts';
import type { PlanSheet } from '../../contract/answers.ts';
import { figure, language, say } from '../language.ts';

/** The outcome that a status of a row stands for, and whether it is one that would be. */
function outcomeOf(status: string): readonly [OutcomeName, would: boolean] {
  if (status === 'not sent') return ['notSent', false];
  if (status === 'create' || status === 'update' || status === 'delete') return [plannedAs(status), true];
  return [status as OutcomeName, false];
}

/** The word of an outcome, as the report says it. */
export const outcomeWord = (name: keyof ShownCounts, would: boolean): string =>
  SHOWN_WORDS[name][would ? 'would' : 'done'][language.value];

/** The tone of an outcome: what is deleted is not as good as what is made. */
export const toneOf = (name: OutcomeName): string => (name === 'deleted' ? 'warn' : OUTCOME_TONES[name]);

/** The tone of a row's status. */
export const statusTone = (status: string): string => toneOf(outcomeOf(status)[0]);

/** The sheets of what is shown: rows that post say so. */
export const SheetsShown = createContext<readonly PlanSheet[]>([]);

/** The word of rows that are created, of one sheet or of all that create some: `to create or to post`. */
export function createdWord(sheets: readonly PlanSheet[], would: boolean, of?: string): string {
  const own = sheets.filter(({ sheet, counts }) => (of === undefined ? counts.created > 0 : sheet === of));
  const names = new Set(own.map(({ made }) => shownName('created', made)));
  return [...(names.size === 0 ? (['created'] as const) : names)]
    .map((name) => outcomeWord(name, would))
    .reduce((one, other) => say(`${one} or ${other}`, `${one} of ${other}`));
}

interface StatusProps {
  readonly status: string;
  readonly sheet: string;
}

/** What became of a row, or would, in the report's words and colours. */
export function StatusPill({ status, sheet }: StatusProps) {
  const [name, would] = outcomeOf(status);
  const sheets = useContext(SheetsShown);
  const word = name === 'created' ? createdWord(sheets, would, sheet) : outcomeWord(name, would);
  return <span class={`pill ${toneOf(name)}`}>{word}</span>;
}

interface OutcomesProps {
  readonly counts: ShownCounts;
  /** They would come of the rows. */
  readonly would?: boolean;
}

/** The counts of rows that are more than 0, as pills. */
export function Outcomes({ counts, would = false }: OutcomesProps) {
  const names = (Object.keys(OUTCOME_TONES) as OutcomeName[]).filter((name) => counts[name] > 0);
  return (
    <>
      {names.map((name) => (
        <span key={name} class={`pill ${toneOf(name)}`}>
          <b>{figure(counts[name])}</b> {outcomeWord(name, would)}
        </span>
      ))}
    </>
  );
}
