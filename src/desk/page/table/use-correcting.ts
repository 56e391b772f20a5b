import { useRef, useState } from 'preact/hooks';
import type { RowDetail } from '../../contract/answers.ts';
import type { AskedOf, Decision } from '../../contract/asked.ts';
import { call } from '../call.ts';
import { asCallError, useAttempt } from '../loaded.ts';
import { announce } from '../pieces/toast.tsx';
import { type Editing, isBad, type Offer } from './row-panel.tsx';
import { isSameRow, type RowPlace, type RowSource } from './row-source.ts';

/** What comes after a correction: the next row, or a look at what it brought about in this one. */
interface After {
  readonly next: () => Promise<void>;
  readonly look: () => void;
}

/** The row that stands open: looked at again, and where that can be corrected. */
export function useOpened(run: string, canCorrect: boolean, source: RowSource, { next, look }: After) {
  const [place, setPlace] = useState<RowPlace | null>(null);
  const [detail, setDetail] = useState<RowDetail | null>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const [offer, setOffer] = useState<Offer | null>(null);
  const { busy, wrong, attempt } = useAttempt();
  const wanted = useRef<RowPlace | null>(null);

  const open = async (of: RowPlace | null): Promise<RowDetail | null> => {
    wanted.current = of;
    setPlace(of);
    if (of === null) return null;
    const { sheet, row } = of;
    const answer = await call('row', { run, sheet, row });
    if (!isSameRow(wanted.current, of)) return null;
    setDetail(answer);
    return answer;
  };
  /** On to what is next to be corrected: in the row, a warning in the cell that was corrected, else the next row. */
  const goOn = async (from: RowPlace, corrected?: number): Promise<void> => {
    // Who went to another row meanwhile stays there.
    if (!isSameRow(wanted.current, from)) return;
    const now = await open(from);
    const bad = now?.cells.find(isBad);
    const warned = now?.cells.find(({ column, issues }) => column === corrected && issues.length > 0);
    if (bad !== undefined) setFocused(bad.column);
    else if (warned !== undefined) {
      announce(warned.issues.map(({ message }) => message).join(' '));
      look();
    } else if (now?.row.status !== 'conflict' || now.row.decided !== null) await next();
  };
  const correct = async (
    from: RowPlace,
    asked: Omit<AskedOf<'correct'>, 'run'>,
    decide?: Decision | null,
  ) => {
    setFocused(null);
    const { rows, same, conflicts } = await call('correct', { run, ...asked });
    source.replace(rows);
    setOffer(decide == null ? same : conflicts.length === 0 ? null : { decide, places: conflicts });
    await goOn(from, asked.corrections?.[0]?.column);
  };
  const takeOffer = async (from: RowPlace, taken: Offer): Promise<void> => {
    if ('decide' in taken) {
      const { decide, places } = taken;
      await call('correct', { run, decisions: places.map((at) => ({ ...at, decide })) });
    } else {
      const { sheet, column, rows, isTaken } = taken;
      const text = isTaken ? null : taken.text;
      await call('correct', { run, corrections: rows.map((at) => ({ sheet, row: at, column, text })) });
    }
    setOffer('decide' in taken || taken.isTaken ? null : { ...taken, isTaken: true });
    source.renew();
    await goOn(from);
  };
  const editing = ({ sheet, row }: RowPlace): Editing => ({
    ...{ focused, offer },
    suggest: async (column, search) => (await call('suggest', { run, sheet, column, search })).entries,
    save: (column, text) =>
      void attempt(async () => {
        const cell = detail?.cells.find((one) => one.column === column);
        // What was only looked at is no correction.
        if (text === cell?.text) await next();
        else await correct({ sheet, row }, { corrections: [{ sheet, row, column, text }] });
      }),
    decide: (decide) =>
      void attempt(() => correct({ sheet, row }, { decisions: [{ sheet, row, decide }] }, decide)),
    take: (taken) => void attempt(() => takeOffer({ sheet, row }, taken)),
    leave: () => setOffer(null),
  });
  return {
    ...{ place, busy, wrong, attempt, setFocused },
    detail: place !== null && detail !== null && isSameRow(detail.row, place) ? detail : null,
    open: async (of: RowPlace | null) => await open(of).catch((error: unknown) => void asCallError(error)),
    editing: !canCorrect || place === null ? undefined : editing(place),
  };
}
