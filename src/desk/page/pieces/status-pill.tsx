import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { OUTCOME_TONES, plannedAs, SHOWN_WORDS, type ShownCounts, shownName } from '../../../core/counts.ts';
import type { Plan } from '../../contract/answers.ts';
import { figure, language, say } from '../language.ts';

/** All outcomes, in their order. */
export const OUTCOMES = Object.keys(OUTCOME_TONES) as readonly (keyof typeof OUTCOME_TONES)[];

/** The outcome that a status of a row stands for, and whether it is one that would be. */
function outcomeOf(status: string): readonly [keyof typeof OUTCOME_TONES, would: boolean] {
  if (status === 'not sent') return ['notSent', false];
  if (status === 'create' || status === 'update' || status === 'delete') return [plannedAs(status), true];
  return [status as keyof typeof OUTCOME_TONES, false];
}

/** The word of an outcome, as the report says it. */
export const outcomeWord = (name: keyof ShownCounts, would: boolean): string =>
  SHOWN_WORDS[name][would ? 'would' : 'done'][language.value];

/** The tone of an outcome: what is deleted is not as good as what is made. */
export const toneOf = (name: keyof typeof OUTCOME_TONES): string =>
  name === 'deleted' ? 'warn' : OUTCOME_TONES[name];

/** The tone of a row's status. */
export const statusTone = (status: string): string => toneOf(outcomeOf(status)[0]);

/** The sheets of what is shown: rows that post say so. */
export const SheetsShown = createContext<Plan['sheets']>([]);

/** The sheet of a row among those that are shown. */
export const useSheet = (sheet: string) => useContext(SheetsShown).find((one) => one.sheet === sheet);

/** The word of rows that are created, of these sheets: `to create or to post`. */
export function createdWord(sheets: Plan['sheets'], would: boolean): string {
  const names = new Set(sheets.map(({ made }) => shownName('created', made)));
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
  const of = useSheet(sheet);
  return (
    <span class={`pill ${toneOf(name)}`}>
      {outcomeWord(name === 'created' ? shownName(name, of?.made) : name, would)}
    </span>
  );
}

interface OutcomesProps {
  readonly counts: ShownCounts;
  /** They would come of the rows. */
  readonly would?: boolean;
}

/** The counts of rows that are more than 0, as pills. */
export const Outcomes = ({ counts, would = false }: OutcomesProps) => (
  <>
    {OUTCOMES.map(
      (name) =>
        counts[name] > 0 && (
          <span key={name} class={`pill ${toneOf(name)}`}>
            <b>{figure(counts[name])}</b> {outcomeWord(name, would)}
          </span>
        ),
    )}
  </>
);

/** A field's name as people say it, of a sheet that is shown; the identifier where it has no other. */
export function useFieldName(sheet: string, field: string | null): string | null {
  const of = useSheet(sheet);
  return field === null ? null : (of?.names[field] ?? field);
}

/** A field's name as people say it, with its identifier small beside it where that is another. */
export function FieldName({ sheet, field }: { readonly sheet: string; readonly field: string }) {
  const name = useFieldName(sheet, field) ?? field;
  return (
    <>
      {name} {name.toLowerCase() !== field.toLowerCase() && <small class="dim">{field}</small>}
    </>
  );
}
