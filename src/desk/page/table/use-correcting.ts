import { useRef, useState } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { CorrectedDocument, RowDetail, SuggestDocument } from '../../contract/documents.ts';
import type { AnswerOf, BodyOf } from '../../contract/routes.ts';
import type { CallError } from '../call.ts';
import { sayCount } from '../language.ts';
import { asCallError } from '../loaded.ts';
import { announce } from '../pieces/toast.tsx';
import type { Decision } from './conflict-choice.tsx';
import { type CellEditing, isBad, type Solved } from './row-cells.tsx';
import type { RowPlace, RowSource } from './row-source.ts';

/** What corrects rows: the routes of a draft. */
export interface Corrector {
  correct(body: BodyOf<'correct'>): Promise<CorrectedDocument>;
  correctSame(body: BodyOf<'correctSame'>): Promise<AnswerOf<'correctSame'>>;
  decideAll(body: BodyOf<'decideAll'>): Promise<AnswerOf<'decideAll'>>;
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
  /** The row is done: on to the next one that needs work. Resolves when that is open. */
  readonly onDone: () => Promise<void>;
  /** Counts of the plan changed. */
  readonly onChanged: () => void;
}

const SOLVED = t('1 other cell corrected', '1 andere cel verbeterd');
const ALL_SOLVED = t('{n} other cells corrected', '{n} andere cellen verbeterd');

const DECIDED = t('1 other conflict decided', '1 ander conflict beslist');
const ALL_DECIDED = t('{n} other conflicts decided', '{n} andere conflicten beslist');
const BACK = t('1 correction taken back', '1 verbetering teruggenomen');
const ALL_BACK = t('{n} corrections taken back', '{n} verbeteringen teruggenomen');

/** What can be done with other rows too, after a correction or a decision. */
export type Offer =
  | NonNullable<CorrectedDocument['same']>
  | { readonly decide: NonNullable<Decision>; readonly count: number };

/** Corrections of the open row: what is typed, saved, taken back, and offered for other cells. */
export function useCorrecting(options: Options) {
  const { corrector, place } = options;
  const [focus, setFocus] = useState<{ readonly at: string; readonly column: number } | null>(null);
  const [offer, setOffer] = useState<Offer | null>(null);
  // What was typed and is not saved stays, also while another row is looked at.
  const typed = useRef(new Map<string, string>());
  const open = useRef(place);
  open.current = place;
  const at = nameOf(place);
  const work = useWork(at);
  const keyOf = (column: number): string => `${column}\0${at}`;
  const focusOn = (of: RowPlace | null, column: number | null): void =>
    setFocus(column === null ? null : { at: nameOf(of), column });

  const { save, decide, takeAll, takeBackAll } = actionsOf(options, {
    ...{ work, focusOn, setOffer, open: () => open.current },
    forget: (column) => typed.current.delete(keyOf(column)),
  });
  const { saving, failed } = work;
  const look = {
    saving: saving.find((what) => typeof what === 'number') ?? null,
    failed,
    focused: focus?.at === at ? focus.column : null,
  };
  const editing: CellEditing | undefined =
    corrector === undefined || place === null
      ? undefined
      : {
          ...{ ...look, ...draftsOf(typed.current, keyOf) },
          save: (column, text) => void save(column, text),
          takeBackAll: (column, solved) => void takeBackAll(column, solved),
          suggest: (column, search, signal) =>
            corrector.suggest({ sheet: place.sheet, column, search }, signal),
        };
  return {
    ...{ editing, decide, busy: saving.length > 0, focusOn },
    same: offer && {
      ...{ offer, busy: saving.includes('same') },
      ...{ onTake: () => void takeAll(offer), onLeave: () => setOffer(null) },
    },
    /** What went wrong beside the saving of a cell. */
    wrong: failed?.column === 0 ? failed.wrong : null,
  };
}

const nameOf = (place: RowPlace | null): string => (place === null ? '' : `${place.row}\0${place.sheet}`);

interface Acting {
  readonly work: ReturnType<typeof useWork>;
  focusOn(place: RowPlace | null, column: number | null): void;
  setOffer(offer: Offer | null): void;
  /** The row that is open by now. */
  open(): RowPlace | null;
  /** What was typed there is saved. */
  forget(column: number): void;
}

/** What can be done about the open row, one thing at a time. */
function actionsOf(options: Options, { work, focusOn, setOffer, open, forget }: Acting) {
  const { place } = options;
  /** On to what is next to be corrected: in the row, else in the next one that needs work. */
  const goOn = async (from: RowPlace | null): Promise<void> => {
    const now = from === null ? null : await options.reload(from);
    // Who went to another row meanwhile stays there.
    if (nameOf(open()) !== nameOf(from)) return;
    const next = now?.cells.find(isBad);
    if (next !== undefined) focusOn(from, next.column);
    else if (now?.row.status !== 'conflict' || now.row.decided !== null) await options.onDone();
  };
  const save = (column: number, text: string | null): Promise<void> =>
    work.attempt(column, async () => {
      focusOn(place, null);
      const answer = await sendCorrection(options, { column, text });
      forget(column);
      setOffer(offerIn(answer, { text }));
      if (text !== null) return await goOn(place);
      const now = place === null ? null : await options.reload(place);
      if (now?.cells.some((cell) => cell.column === column && isBad(cell))) focusOn(place, column);
    });
  const decide = (decision: Decision): Promise<void> =>
    work.attempt('row', async () => {
      setOffer(offerIn(await sendCorrection(options, { decision }), { decision }));
      if (decision !== null) await goOn(place);
      else if (place !== null) await options.reload(place);
    });
  const takeAll = (taken: Offer): Promise<void> =>
    work.attempt('same', async () => {
      await sendSame(options, taken);
      setOffer(null);
      // The correction that led to it has gone on to another row by now.
      await goOn(open());
    });
  const takeBackAll = (column: number, solved: Solved): Promise<void> =>
    work.attempt(column, async () => {
      if (place === null) return;
      focusOn(place, null);
      await sendSame(options, { sheet: place.sheet, column, text: null, ...solved });
      setOffer(null);
      await options.reload(place);
      focusOn(place, column);
    });
  return { save, decide, takeAll, takeBackAll };
}

/** What is typed in cells and not saved. */
const draftsOf = (typed: Map<string, string>, keyOf: (column: number) => string) => ({
  typed: (column: number): string | null => typed.get(keyOf(column)) ?? null,
  keep: (column: number, text: string): void => void typed.set(keyOf(column), text),
});

/** What is being saved: a cell by its column, or something of the row. */
type Saving = number | 'row' | 'same';

/** One thing after another, and what went wrong with it on the row that is open. */
function useWork(at: string) {
  const [saving, setSaving] = useState<readonly Saving[]>([]);
  const [failed, setFailed] = useState<{ at: string; column: number; wrong: CallError } | null>(null);
  const open = useRef(at);
  open.current = at;
  const last = useRef(Promise.resolve());
  const doNow = async (what: Saving, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      setFailed(null);
    } catch (error) {
      const wrong = asCallError(error);
      // What concerns more than this row is told on the row that is open by then.
      setFailed(
        typeof what === 'number' ? { at, column: what, wrong } : { at: open.current, column: 0, wrong },
      );
    } finally {
      setSaving(([, ...rest]) => rest);
    }
  };
  return {
    /** What is under way, and what waits for it. */
    saving,
    failed: failed !== null && failed.at === at ? failed : null,
    attempt: (what: Saving, work: () => Promise<void>): Promise<void> => {
      setSaving((all) => [...all, what]);
      last.current = last.current.then(() => doNow(what, work));
      return last.current;
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

/** What is offered after a correction or a decision. */
function offerIn(
  answer: CorrectedDocument | null,
  { text, decision }: Pick<Correction, 'text' | 'decision'>,
): Offer | null {
  if (answer === null) return null;
  if (decision != null) return answer.conflicts === 0 ? null : { decide: decision, count: answer.conflicts };
  return text === null ? null : answer.same;
}

/** The same for all others, which takes their corrections back where its text is null. */
type Wanted = BodyOf<'correctSame'> | Exclude<Offer, NonNullable<CorrectedDocument['same']>>;

async function sendSame({ corrector, source, onChanged }: Options, wanted: Wanted): Promise<void> {
  if (corrector === undefined) return;
  if ('decide' in wanted) {
    const { decided, counts } = await corrector.decideAll({ decide: wanted.decide });
    source.renew(counts);
    announce(sayCount(decided, DECIDED, ALL_DECIDED));
  } else {
    const { sheet, column, code, found, text } = wanted;
    const { corrected, counts } = await corrector.correctSame({ sheet, column, code, found, text });
    source.renew(counts);
    announce(text === null ? sayCount(corrected, BACK, ALL_BACK) : sayCount(corrected, SOLVED, ALL_SOLVED));
  }
  onChanged();
}
