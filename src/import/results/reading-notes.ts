import { t } from '../../core/language.ts';
import { unknownTexts } from '../map/sheet-notes.ts';
import type { Plan } from '../plan/plan-import.ts';
import { type ResultWording, sayIn } from './row-outcome.ts';

type Reading = Pick<Plan, 'notes' | 'recognised'>;
type Wording = Pick<ResultWording, 'language' | 'form'>;

const NOT_USED = t('columns not used', 'niet-gebruikte kolommen');

/** How a sheet was read, with the columns that are not used; null asks for the notes on the whole file. */
export function notesOf({ notes, recognised }: Reading, sheet: string | null, wording: Wording): string[] {
  const say = sayIn(wording);
  const unknown = recognised.flatMap((entry) =>
    entry.kind === 'import' && entry.sheet.name === sheet ? unknownTexts(entry, wording.language) : [],
  );
  return [
    ...notes.filter((note) => note.sheet === sheet).map(({ text }) => say(text)),
    ...(unknown.length === 0 ? [] : [`${say(NOT_USED)}: ${unknown.join(', ')}`]),
  ];
}

const PASSED_OVER = t('sheets passed over', 'overgeslagen werkbladen');

/** Why sheets could not be read. */
export const unread = ({ recognised }: Pick<Reading, 'recognised'>, wording: Wording): string[] =>
  recognised.flatMap((entry) => (entry.kind === 'problem' ? [sayIn(wording)(entry.reason)] : []));

/** The sheets that were passed over. */
export function passedOver({ recognised }: Pick<Reading, 'recognised'>, wording: Wording): string[] {
  const say = sayIn(wording);
  const skipped = recognised.flatMap((entry) =>
    entry.kind === 'skip' && entry.own !== true ? [`${entry.sheet.name} (${say(entry.reason)})`] : [],
  );
  return skipped.length === 0 ? [] : [`${say(PASSED_OVER)}: ${skipped.join(', ')}`];
}
