import { type Bilingual, type Language, same, t } from '../core/language.ts';
import { isClearable } from '../import/map/column-reader.ts';
import {
  BOOLEAN_WORDS,
  type CellType,
  cellTypeOf,
  exampleText,
  FORMATS,
  TYPE_WORDS,
} from '../schema/cell-type.ts';
import type { Resource } from '../schema/resource.ts';
import type { CellCheck, TemplateColumn } from '../xlsx/write/template-book.ts';
import type { ChoiceList } from './read-lists.ts';
import {
  actionsOf,
  hasKey,
  ownKey,
  sourceText,
  type TemplateField,
  templateFields,
  whenText,
  whenWord,
} from './template-fields.ts';

/** By cell type: how Excel checks its cells, and the usual width of its columns in characters. */
const CELLS: Readonly<Record<CellType, { check: CellCheck['type']; width: number }>> = {
  integer: { check: 'whole', width: 12 },
  decimal: { check: 'decimal', width: 12 },
  text: { check: 'any', width: 28 },
  boolean: { check: 'list', width: 10 },
  day: { check: 'date', width: 13 },
  moment: { check: 'date', width: 18 },
  time: { check: 'time', width: 10 },
  choice: { check: 'any', width: 16 },
};

const EXPECTED: Readonly<Record<CellType, Bilingual>> = {
  integer: t('A whole number, 0 or more, is expected here.', 'Hier hoort een geheel getal van 0 of meer.'),
  decimal: t('A number is expected here.', 'Hier hoort een getal.'),
  text: same(''),
  boolean: t('TRUE or FALSE is expected here.', 'Hier hoort Ja of Nee.'),
  day: t('A date is expected here, such as 31-12-2027.', 'Hier hoort een datum, zoals 31-12-2027.'),
  moment: t(
    'A date and time are expected here, such as 31-12-2027 14:30.',
    'Hier horen een datum en tijd, zoals 31-12-2027 14:30.',
  ),
  time: t('A time is expected here, such as 14:30.', 'Hier hoort een tijd, zoals 14:30.'),
  choice: t(
    'This is not in the list. A number (id) may stand here too.',
    'Dit staat niet in de lijst. Een nummer (id) mag hier ook staan.',
  ),
};

const CLEARS = t('To clear the field: #CLEAR.', 'Om het veld leeg te maken: #CLEAR.');

interface CheckedColumn {
  readonly type: CellType;
  readonly language: Language;
  readonly prompt: string;
  /** `#CLEAR` is allowed too, so other contents get a warning and are not refused. */
  readonly clearable: boolean;
  /** The name of the list to choose from, where there is one. */
  readonly list: string | null;
}

function cellCheck({ type, language, prompt, clearable, list }: CheckedColumn): CellCheck {
  const soft = clearable || type === 'boolean' || type === 'choice';
  const error = EXPECTED[type][language] + (clearable ? ` ${CLEARS[language]}` : '');
  const check = { style: soft ? 'warning' : 'stop', prompt, error } as const;
  if (list !== null) return { ...check, type: 'list', list: { name: list } };
  if (type === 'boolean') return { ...check, type: 'list', list: BOOLEAN_WORDS[language] };
  return { ...check, type: CELLS[type].check };
}

interface TemplateSetup {
  readonly language: Language;
  /** All resources: columns refer to one another's sheets. */
  readonly resources: readonly Resource[];
  readonly lists: readonly ChoiceList[];
}

/** A column of a template, and the guide's words on it. */
export interface DescribedColumn {
  readonly column: TemplateColumn;
  readonly name: string;
  readonly when: string;
  readonly type: string;
  readonly meaning: string;
  readonly source: string;
  readonly example: string;
}

/** Room for the filter's arrow and an indent. */
const ARROW = 6;
const WIDEST_CHOICE = 34;

/** The columns of a resource's sheet, in order: required ones, keys, the program's own, others. */
export function describeColumns(resource: Resource, setup: TemplateSetup): DescribedColumn[] {
  const fields = templateFields(resource);
  const describe = (field: TemplateField): DescribedColumn => describeField(resource, field, setup);
  return [
    ...fields.filter(({ role }) => role !== 'optional').map(describe),
    ...describeMarks(resource, setup),
    ...fields.filter(({ role }) => role === 'optional').map(describe),
  ];
}

function describeField(resource: Resource, one: TemplateField, setup: TemplateSetup): DescribedColumn {
  const { name, field, role } = one;
  const { language } = setup;
  const type = cellTypeOf(field);
  const list = setup.lists.find(({ lookup }) => lookup === field.lookup?.name) ?? null;
  const clearable = isClearable(resource, name);
  const options = { resources: setup.resources, listed: list !== null };
  const texts = {
    meaning: field.help[language],
    when: whenText(resource, one)[language],
    source: sourceText(resource, one, options)?.[language] ?? '',
    // An example from the list itself, where there is one.
    example: list?.choices.find(({ id }) => id === field.example)?.text ?? exampleText(field, language),
  };
  const header = role === 'required' ? `${name} *` : name;
  const prompt = promptText(texts, language);
  const column: TemplateColumn = {
    ...{ header, role, wraps: type === 'text' },
    // A choice from a list stays text, whatever it looks like.
    format: list === null ? FORMATS[type] : '@',
    width: Math.max(header.length + ARROW, CELLS[type].width, widestOf(list)),
    note: noteLines(texts, { type: TYPE_WORDS[type], clearable }, language),
    check: cellCheck({ type, language, prompt, clearable, list: list?.name ?? null }),
  };
  return {
    ...texts,
    column,
    name,
    when: whenWord(resource, one)[language],
    type: TYPE_WORDS[type][language],
  };
}

function widestOf(list: ChoiceList | null): number {
  const widest = Math.max(0, ...(list?.choices ?? []).map(({ text }) => text.length));
  return Math.min(WIDEST_CHOICE, widest + 3);
}

interface ColumnTexts {
  readonly meaning: string;
  readonly when: string;
  readonly source: string;
  readonly example: string;
}

const LABELS = {
  type: t('Type', 'Soort'),
  source: t('Values', 'Waarden'),
  example: t('Example', 'Voorbeeld'),
  clear: t('#CLEAR clears the field.', '#CLEAR maakt het veld leeg.'),
} as const;

function noteLines(
  { meaning, when, source, example }: ColumnTexts,
  { type, clearable }: { readonly type: Bilingual; readonly clearable: boolean },
  language: Language,
): string[] {
  return [
    meaning,
    `${LABELS.type[language]}: ${type[language]}`,
    when,
    ...(source === '' ? [] : [`${LABELS.source[language]}: ${source}`]),
    ...(example === '' ? [] : [`${LABELS.example[language]}: ${example}`]),
    ...(clearable ? [LABELS.clear[language]] : []),
  ];
}

function promptText({ meaning, when, example }: ColumnTexts, language: Language): string {
  const last = example === '' ? [] : [`${LABELS.example[language]}: ${example}`];
  return [`${meaning}.`, when, ...last].join(' ');
}

const MARKS = {
  action: t(
    'What to do with the row; empty: create it when it is new, else change what differs',
    'Wat er met de rij moet gebeuren; leeg: aanmaken als die nieuw is, anders wijzigen wat verschilt',
  ),
  actionByKey: t(
    'What to do with the row; empty: create it when its {key} is new, else change what differs. A new row without {key} needs create',
    'Wat er met de rij moet gebeuren; leeg: aanmaken als {key} nieuw is, anders wijzigen wat verschilt. Een nieuwe rij zonder {key} heeft create nodig',
  ),
  key: t(
    'A reference of your own that makes the row unique: it is posted at most once, ever',
    'Een eigen kenmerk dat de rij uniek maakt: die wordt hooguit één keer geboekt, ooit',
  ),
  optional: t('Not required.', 'Niet verplicht.'),
  no: t('no', 'nee'),
  free: t('Of your own choice.', 'Kies je zelf.'),
} as const;

/** The program's own columns: `#action`, and `#key` where rows can't be found again. */
function describeMarks(resource: Resource, { language }: TemplateSetup): DescribedColumn[] {
  const actions = actionsOf(resource);
  const own = ownKey(resource);
  const meaning = (own === null ? MARKS.action : MARKS.actionByKey)[language].replaceAll('{key}', own ?? '');
  const action = { name: '#action', meaning, source: actions.join(', '), example: 'skip' };
  const described = [describeMark(action, actions, language)];
  if (!hasKey(resource)) return described;
  const texts = { meaning: MARKS.key[language], source: MARKS.free[language], example: 'week12-koelcel-1' };
  return [...described, describeMark({ name: '#key', ...texts }, null, language)];
}

function describeMark(
  { name, ...own }: Pick<DescribedColumn, 'name' | 'meaning' | 'source' | 'example'>,
  list: readonly string[] | null,
  language: Language,
): DescribedColumn {
  const texts = { ...own, when: MARKS.optional[language] };
  const check = { prompt: promptText(texts, language), error: `${own.source}.`, style: 'stop' } as const;
  const column: TemplateColumn = {
    ...{ header: name, role: 'mark', format: '@', wraps: false },
    width: list === null ? 20 : 12,
    note: noteLines(texts, { type: TYPE_WORDS.text, clearable: false }, language),
    check: list === null ? { ...check, type: 'any' } : { ...check, type: 'list', list },
  };
  return { ...texts, column, name, when: MARKS.no[language], type: TYPE_WORDS.text[language] };
}
