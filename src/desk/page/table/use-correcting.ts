import { useRef, useState } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { CorrectedDocument, RowDetail, SuggestDocument } from '../../contract/documents.ts';
import type { AnswerOf, BodyOf } from '../../contract/routes.ts';
import type { CallError } from '../call.ts';
import { sayCount } from '../language.ts';
import { asCallError } from '../loaded.ts';
import { announce } from '../pieces/toast.tsx';
import type { Decision } from './conflict-choice.tsx';
import { type CellEditing, isBad } from './row-cells.tsx';
import type { RowPlace, RowSource } from './row-source.ts';

/** What corrects rows: the routes of a draft. */
export interface Corrector {
  correct(body: BodyOf<'correct'>): Promise<CorrectedDocument>;
  correctSame(body: BodyOf<'correctSame'>): Promise<AnswerOf<'correctSame'>>;
  suggest(
    cell: { sheet: string; column: number; search: string },
    signal: AbortSignal,
  ): Promise<SuggestDocument>;
}

interface Options {
  readonly corrector: Corrector | undefined;
  readonly source: RowSource;
  readonly place: RowPlace | null;
  /** Reads the open row again; resolves with it. */
  readonly reload: (place: RowPlace) => Promise<RowDetail | null>;
  /** The row is done: on to the next one that needs work. */
  readonly onDone: () => void;
  /** Counts of the plan changed. */
  readonly onChanged: () => void;
}

const SOLVED = t('1 other cell corrected', '1 andere cel verbeterd');
const ALL_SOLVED = t('{n} other cells corrected', '{n} andere cellen verbeterd');

/** Corrections of the open row: what is typed, saved, taken back, and offered for other cells. */
export function useCorrecting(options: Options) {
  const { corrector, place } = options;
  const [focused, setFocused] = useState<number | null>(null);
  const [offer, setOffer] = useState<CorrectedDocument['same']>(null);
  // What was typed and is not saved stays, also while another row is looked at.
  const typed = useRef(new Map<string, string>());
  const at = place === null ? '' : `${place.row}\0${place.sheet}`;
  const work = useWork(at);
  const keyOf = (column: number): string => `${column}\0${at}`;

  const save = (column: number, text: string | null): Promise<void> =>
    work.attempt(column, async () => {
      setFocused(null);
      const answer = await sendCorrection(options, { column, text });
      typed.current.delete(keyOf(column));
      setOffer(text === null ? null : (answer?.same ?? null));
      const now = place === null ? null : await options.reload(place);
      const next = now?.cells.find(isBad);
      if (text === null) return;
      if (next !== undefined) setFocused(next.column);
      else if ((now?.conflict.length ?? 0) === 0) options.onDone();
    });
  const decide = (decision: Decision): Promise<void> =>
    work.attempt('row', async () => {
      await sendCorrection(options, { decision });
      if (place !== null) await options.reload(place);
    });
  const takeAll = (): Promise<void> =>
    work.attempt('same', async () => {
      if (offer === null) return;
      await sendSame(options, offer);
      setOffer(null);
    });

  const { saving, failed } = work;
  const editing: CellEditing | undefined =
    corrector === undefined || place === null
      ? undefined
      : {
          ...{ saving: typeof saving === 'number' ? saving : null, failed, focused },
          typed: (column) => typed.current.get(keyOf(column)) ?? null,
          keep: (column, text) => typed.current.set(keyOf(column), text),
          save: (column, text) => void save(column, text),
          suggest: (column, search, signal) =>
            corrector.suggest({ sheet: place.sheet, column, search }, signal),
        };
  const same = offer === null ? null : { ...offer, busy: saving === 'same' };
  return {
    ...{ editing, decide, busy: saving !== null, focusOn: setFocused },
    same: same && { ...same, onTake: () => void takeAll(), onLeave: () => setOffer(null) },
    /** What went wrong beside the saving of a cell. */
    wrong: failed?.column === 0 ? failed.wrong : null,
  };
}

/** What is being saved: a cell by its column, or something of the row. */
type Saving = number | 'row' | 'same';

/** One thing at a time, and what went wrong with it on the row that is open. */
function useWork(at: string) {
  const [saving, setSaving] = useState<Saving | null>(null);
  const [failed, setFailed] = useState<{ at: string; column: number; wrong: CallError } | null>(null);
  return {
    saving,
    failed: failed !== null && failed.at === at ? failed : null,
    attempt: async (what: Saving, work: () => Promise<void>): Promise<void> => {
      setSaving(what);
      try {
        await work();
        setFailed(null);
      } catch (error) {
        setFailed({ at, column: typeof what === 'number' ? what : 0, wrong: asCallError(error) });
      } finally {
        setSaving(null);
      }
    },
  };
}

interface Correction {
  readonly column?: number;
  /** Null takes the correction back. */
  readonly text?: string | null;
  readonly decision?: Decision;
}

async function sendCorrection({ corrector, place, source, onChanged }: Options, correction: Correction) {
  if (corrector === undefined || place === null) return null;
  const { sheet, row } = place;
  const { column, text = null, decision = null } = correction;
  const answer = await corrector.correct(
    column === undefined
      ? { decisions: [{ sheet, row, decide: decision }] }
      : { corrections: [{ sheet, row, column, text }] },
  );
  source.replace(answer.rows, answer.counts);
  onChanged();
  return answer;
}

async function sendSame(
  { corrector, place, source, reload, onChanged }: Options,
  { sheet, column, code, found, text }: NonNullable<CorrectedDocument['same']>,
): Promise<void> {
  if (corrector === undefined) return;
  const { corrected } = await corrector.correctSame({ sheet, column, code, found, text });
  announce(sayCount(corrected, SOLVED, ALL_SOLVED));
  source.renew();
  onChanged();
  if (place !== null) await reload(place);
}
