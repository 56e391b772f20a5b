import { columnFromLetters } from '../../core/cell.ts';
import { normaliseHeader } from '../../core/header.ts';
import { type Bilingual, same, t, withFlag } from '../../core/language.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import { type HeaderName, layered, UNUSED, withoutClashes } from './header-names.ts';
import type { ProposedHeader, SheetProposal, UndecidedHeaders } from './header-proposals.ts';
import { letteredHeader } from './header-row.ts';
import { recogniseByLists } from './listed-names.ts';
import type { RecognisedSheet, RecogniseOptions } from './recognise.ts';
import type { SheetChoice } from './sheet-choices.ts';
import type { AskText } from './whole-sheet.ts';

/**
 * What the unknown headers of a workbook's sheets may mean. A sheet that no header tells of counts where
 * nothing else would be imported, and where it can be of one kind alone.
 */
function proposedIn(recognised: readonly RecognisedSheet[]): readonly SheetProposal[] {
  const wanted = recognised.filter(({ kind }) => kind !== 'skip');
  return (wanted.length > 0 ? wanted : recognised).flatMap(({ proposals: [only, ...others] = [] }) => {
    const isSaid = only !== undefined && only.columns.length + only.undecided.length > 0;
    return isSaid && only.isTold && others.length === 0 ? [only] : [];
  });
}

/** The headers that would be taken. */
const namesIn = (sheets: readonly SheetProposal[]): readonly HeaderName[] =>
  withoutClashes(
    sheets.flatMap(({ resource, columns }) =>
      columns.map(({ header, field }) => ({ header, field, resource })),
    ),
  );

/**
 * Headers as `--map` takes them on the command line: `Artikelnr=ExternalID;Prijs=Verkoopprijs`, each with its
 * resource where the workbook has several kinds. `own` are those that are known, which a map replaces.
 */
function mapText(own: readonly HeaderName[], proposed: readonly HeaderName[], isMixed: boolean): string {
  const names = layered(own, isMixed ? proposed : proposed.map((one) => ({ ...one, resource: null })));
  return names
    .map(({ header, field, resource }) => `${resource === null ? '' : `${resource}:`}${header}=${field}`)
    .join(';');
}

/** Characters with a meaning within double quotes. */
const QUOTED = /["$`!\\]/;

/** A map as words of a command line: `--map "Artikelnr=ExternalID"`. */
function mapFlag(map: string): string {
  const isPlain = process.platform === 'win32' || !QUOTED.test(map);
  return `--map ${isPlain ? `"${map}"` : `'${map.replaceAll("'", "'\\''")}'`}`;
}

/** What the headers of a workbook may mean that mean nothing as they stand, as plain data. */
export interface Proposals {
  readonly sheets: readonly SheetProposal[];
  /** The map that takes them, as `--map` takes it; null where each is for the user to decide. */
  readonly map: string | null;
}

/** What is proposed for a workbook's sheets; `own` are the headers that another map replaces. */
export function proposalsOf(
  recognised: readonly RecognisedSheet[],
  own: readonly HeaderName[] = [],
): Proposals | undefined {
  const sheets = proposedIn(recognised);
  if (sheets.length === 0) return undefined;
  const names = namesIn(sheets);
  const read = recognised.flatMap((entry) => (entry.kind === 'import' ? [entry.mapping] : []));
  const kinds = new Set([...read.map(({ resource }) => resource.name), ...sheets.map((one) => one.resource)]);
  // A sheet that nothing but its headers tells of may fit other kinds as well.
  const isMixed = kinds.size > 1 || !recognised.some(({ kind }) => kind !== 'skip');
  // A map may be for other files too.
  const there = [
    ...read.flatMap(({ headers }) => headers.flatMap((one) => [one.header, letteredHeader(one)])),
    ...sheets.flatMap(({ headers }) => headers),
  ].map(normaliseHeader);
  const here = own.filter(({ header }) => there.includes(normaliseHeader(header)));
  // Of two that are one column the user says which.
  const kept = here.filter(({ field, resource }) => {
    const same = here.filter((one) => one.field === field && one.resource === resource);
    return same.length === 1 || field === UNUSED;
  });
  return { sheets, map: names.length === 0 ? null : mapText(kept, names, isMixed) };
}

/**
 * What the user takes of what is proposed for a workbook, asked once; then what only the user can decide, each by a
 * number. None where nothing is proposed that can be taken.
 */
export async function takenChoices(
  on: Parameters<typeof recogniseByLists>[0],
  workbook: Workbook,
  options: RecogniseOptions,
  take: (proposed: Proposals) => Promise<boolean>,
  ask: AskText,
): Promise<readonly SheetChoice[]> {
  const proposed = proposalsOf(await recogniseByLists(on, workbook, options));
  if (proposed === undefined || (proposed.map !== null && !(await take(proposed)))) return [];
  const choices: SheetChoice[] = [];
  for (const one of proposed.sheets) {
    const { sheet, resource: as } = one;
    const chosen: Pick<ProposedHeader, 'column' | 'field'>[] = [...one.columns];
    for (const open of one.undecided) chosen.push(...(await chosenOf(open, sheet, ask)));
    const columns = chosen.map(({ column, field }) => ({ column: columnFromLetters(column), field }));
    choices.push({ sheet, as, columns });
  }
  return choices;
}

/** Which of several fields a column is, or which of several columns is a field; none for no answer. */
async function chosenOf(
  undecided: UndecidedHeaders,
  sheet: string,
  ask: AskText,
): Promise<Pick<ProposedHeader, 'column' | 'field'>[]> {
  const { headers, fields } = undecided;
  if (headers.length > 1 && fields.length > 1) return [];
  const places = headers.map(({ header, column }) => `${header} (${column})`);
  const [asked, ways] = headers.length > 1 ? [fields, places] : [places, fields];
  const list = ways.map((way, at) => `${at + 1} ${way}`).join(', ');
  const unit = unitText(undecided);
  const question = t(
    `  In ${sheet}, ${asked[0]} is: ${list}${unit.en}, Enter none: `,
    `  In ${sheet} is ${asked[0]}: ${list}${unit.nl}, Enter geen: `,
  );
  const pairs = headers.flatMap(({ column }) => fields.map((field) => ({ column, field })));
  for (;;) {
    const answer = (await ask(question)).trim();
    if (answer === '') return [];
    const pair = pairs[Number(answer) - 1];
    if (pair !== undefined) return [pair];
  }
}

/** Says of one header for one field why it is not proposed: it names a unit. */
const unitText = ({ headers, fields }: UndecidedHeaders): Bilingual =>
  headers.length + fields.length > 2
    ? same('')
    : t(', whose unit is not converted', ', waarvan de eenheid niet wordt omgerekend');

/** How a map names a header: with its letter where another column has it too. */
function mapName(one: HeaderPlace, headers: readonly HeaderPlace[]): string {
  const same = headers.filter(({ header }) => normaliseHeader(header) === normaliseHeader(one.header));
  return same.length > 1 ? `${one.header} (${one.column})` : one.header;
}

type HeaderPlace = UndecidedHeaders['headers'][number];

/**
 * Says that headers that may mean several fields, or one field, are not chosen, and what would take the
 * others. Each text is without its full stop.
 */
export function proposalTexts({ sheets, map }: Proposals): Bilingual[] {
  return [...undecidedTexts(sheets), ...(map === null ? [] : [takeText(map)])];
}

const takeText = (map: string): Bilingual =>
  withFlag(
    t(
      'To use these headers, say which column each is',
      'Om deze koppen te gebruiken: zeg welke kolom het is',
    ),
    mapFlag(map),
  );

/** Says of headers that may mean several fields, or one field, that none is chosen. */
function undecidedTexts(sheets: readonly SheetProposal[]): Bilingual[] {
  return sheets.flatMap(({ sheet, undecided }) =>
    undecided.map(({ headers, fields }) => {
      const named = headers.map(({ header, column }) => `${header} (${column})`);
      const [these, meant] = [listOf(named, 'and', 'en'), listOf(fields, 'or', 'of')];
      const [first] = headers;
      const unit = unitText({ headers, fields });
      const open = t(
        `${sheet}: ${these.en} may be ${meant.en}${unit.en}: say which is meant`,
        `${sheet}: ${these.nl} ${named.length > 1 ? 'kunnen' : 'kan'} ${meant.nl} zijn${unit.nl}: zeg welke je bedoelt`,
      );
      return first === undefined ? open : withFlag(open, mapFlag(`${mapName(first, headers)}=${fields[0]}`));
    }),
  );
}

function listOf(names: readonly string[], en: string, nl: string): Bilingual {
  const last = names.at(-1) ?? '';
  const before = names.slice(0, -1).join(', ');
  return before === '' ? t(last, last) : t(`${before} ${en} ${last}`, `${before} ${nl} ${last}`);
}
