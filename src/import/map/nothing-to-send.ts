import { basename } from 'node:path';
import type { Counts } from '../../core/counts.ts';
import { EXIT, StopError } from '../../core/errors.ts';
import { type Bilingual, composed, inOne, same, t, withFlag } from '../../core/language.ts';
import { isFinanceBook } from '../../core/own-sheets.ts';
import type { IssueGroup } from '../../core/plan-report.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import { setTexts, settable } from './given-values.ts';
import { type Proposals, proposalTexts } from './header-proposals.ts';
import type { SheetReading } from './read-rows.ts';
import { isChosen, isMissed, type RecognisedSheet, type RecogniseOptions } from './recognise.ts';

/** The stop for a workbook in which no sheet, or none of those chosen, is one to import. */
export function nothingToImport(
  { file, sheets }: Workbook,
  recognised: readonly RecognisedSheet[],
  { resources, only, proposed }: Pick<RecogniseOptions, 'resources' | 'only'> & Pick<Planned, 'proposed'>,
): StopError {
  const asked = recognised.filter(
    (entry) =>
      (entry.kind !== 'skip' || entry.own !== true) &&
      (only.length === 0 || isChosen(entry.sheet.name, only)),
  );
  const message = isFinanceBook(sheets.map(({ name }) => name))
    ? about(file, FINANCE, [])
    : about(file, NO_SHEET, asked.map(reasonOf));
  if (proposed !== undefined)
    return new StopError(EXIT.file, message, { next: sentences(proposalTexts(proposed)) });
  const [serves] = asked.flatMap((entry) => (entry.kind === 'import' ? [] : (entry.serves ?? [])));
  // What is taken for one kind by its name or a flag needs no other: its headers are wrong.
  const isHeaders = only.length === 0 && asked.length > 0 && asked.every(({ kind }) => kind === 'problem');
  return new StopError(EXIT.file, message, { next: isHeaders ? HEADERS : wayOn(resources, serves) });
}

const NO_SHEET = t('holds no sheet to import', 'bevat geen werkblad om te importeren');
const FINANCE = t(
  'is a finance export: nothing in it is imported',
  'is een financiële export: daaruit wordt niets geïmporteerd',
);

/** A sentence on a file, with the reasons in one behind it. */
const about = (file: string, what: Bilingual, reasons: readonly Bilingual[]): Bilingual =>
  composed([what, inOne(reasons, '; ')], ({ en, nl }, why) =>
    t(
      `${basename(file)} ${en}.${why.en && ` ${why.en}.`}`,
      `${basename(file)} ${nl}.${why.nl && ` ${why.nl}.`}`,
    ),
  );

const sentences = (texts: readonly Bilingual[]): Bilingual =>
  composed(texts, (...all) => {
    const joined = (words: readonly string[]): string =>
      words.map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`).join(' ');
    return t(joined(all.map(({ en }) => en)), joined(all.map(({ nl }) => nl)));
  });

/** Which sheets can be imported, or which command the file is for. */
function wayOn(resources: readonly Resource[], serves: string | undefined): Bilingual {
  if (serves !== undefined)
    return withFlag(t('Say what the file is for.', 'Zeg waar het bestand voor is.'), `catersheet ${serves}`);
  const sheets = resources.map(({ sheet }) => sheet).join(', ');
  return withFlag(
    t(
      `Sheets that can be imported: ${sheets}; of a sheet of another name that holds one of these, say so.`,
      `Werkbladen die geïmporteerd kunnen worden: ${sheets}; staat zoiets op een werkblad met een andere naam, zeg dat dan.`,
    ),
    `--as ${resources.map(({ name }) => name).join('|')}`,
  );
}

function reasonOf(entry: RecognisedSheet): Bilingual {
  const { name } = entry.sheet;
  if (entry.kind === 'problem') return entry.reason;
  if (entry.kind === 'import') return same(name);
  return composed([entry.reason], ({ en, nl }) => t(`${name}: ${en}`, `${name}: ${nl}`));
}

/** What of a plan tells whether it can be sent. */
interface Planned {
  readonly counts: Counts;
  readonly groups: readonly IssueGroup[];
  readonly workbook: Workbook;
  readonly readings: ReadonlyMap<string, SheetReading>;
  readonly proposed?: Proposals | undefined;
  readonly recognised: readonly RecognisedSheet[];
}

/** Throws StopError where no row of a plan can be sent. */
export function refuseEmpty({ counts, groups, workbook, readings, proposed, recognised }: Planned): void {
  // A sheet of nothing but rows that are no records counts as empty.
  const passed = [...readings.values()].flatMap(({ passedOver }) => Object.values(passedOver));
  if (counts.read === passed.reduce((sum, { count }) => sum + count, 0)) {
    // What is to be sent may stand on a sheet that was left out.
    const message = about(workbook.file, NO_ROW, recognised.filter(isMissed).map(reasonOf));
    throw new StopError(EXIT.file, message, { next: FILL_IN });
  }
  const missing = groups.filter((group) => group.issue.code === 'column-missing');
  if (rowsWithout(missing) < counts.read) return;
  const lacks = missing.map(({ sheet, issue: { field, hint = '' } }) =>
    composed([typeof hint === 'string' ? same(hint) : hint], ({ en, nl }) =>
      t(`${sheet}: column ${field} is missing (${en})`, `${sheet}: kolom ${field} ontbreekt (${nl})`),
    ),
  );
  const shared = recognised.flatMap((entry) =>
    entry.kind === 'import' ? setTexts(settable(entry.mapping, groups)) : [],
  );
  const ways = [...(proposed === undefined ? [] : proposalTexts(proposed)), ...shared.slice(0, 1)];
  throw new StopError(EXIT.file, about(workbook.file, NONE_WHOLE, lacks), {
    next: ways.length > 0 ? sentences(ways) : HEADERS,
  });
}

const NO_ROW = t(
  'holds no row to send: nothing stands below the headers',
  'bevat geen rij om te versturen: onder de kopregel staat niets',
);
const FILL_IN = t(
  'Fill in at least one row, or choose the sheet that has them, then import again.',
  'Vul minstens één rij in, of kies het werkblad waar ze op staan, en importeer opnieuw.',
);
const NONE_WHOLE = t('holds no row that can be sent', 'bevat geen rij die verstuurd kan worden');
const HEADERS = withFlag(
  t(
    'Correct the header row, say which row it is, or say what headers of your own stand for.',
    'Verbeter de kopregel, zeg welke rij het is, of zeg waar je eigen koppen voor staan.',
  ),
  '--header-row, --map',
);

/** How many rows lack a column, counted in each sheet by the column that most rows lack. */
function rowsWithout(missing: readonly IssueGroup[]): number {
  const bySheet = new Map<string, number>();
  for (const { sheet, count } of missing) bySheet.set(sheet, Math.max(count, bySheet.get(sheet) ?? 0));
  return [...bySheet.values()].reduce((sum, count) => sum + count, 0);
}
