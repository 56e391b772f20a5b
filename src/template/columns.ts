import { type Bilingual, type Language, same, t } from '../core/language.ts';
import { BOOLEAN_WORDS } from '../core/row-text.ts';
import type { Choice } from '../import/map/lookup-names.ts';
import { isClearable } from '../import/map/sheet-mapping.ts';
import { kindOf } from '../kinds/kinds.ts';
import { keysFor } from '../records/references.ts';
import { cellTypeOf, exampleText, type Field, FORMATS, readOnly, TYPE_WORDS } from '../schema/field.ts';
import { actionsOf, type Resource } from '../schema/resource.ts';
import type { ColumnRole } from '../xlsx/write/book-styles.ts';
import type { CellCheck, WrittenColumn, WrittenList } from '../xlsx/write/written-book.ts';

/** The sorted choices of a lookup; `name` is the list's name in the workbook. */
export interface ChoiceList {
  readonly lookup: string;
  readonly name: string;
  readonly choices: readonly Choice[];
}

/** The list of a lookup, in the order of the language. */
export function listOf(lookup: string, choices: readonly Choice[], language: Language): ChoiceList {
  const order = new Intl.Collator(language, { numeric: true });
  const sorted = choices.toSorted((a, b) => order.compare(a.text, b.text));
  return { lookup, name: `list_${lookup.replace(/\W/g, '_')}`, choices: sorted };
}

/** A list as a workbook holds it. */
export const writtenList = ({ lookup, name, choices }: ChoiceList): WrittenList => ({
  ...{ name, title: lookup },
  values: choices.map(({ text }) => text),
});

/** A field as a column to fill in. */
interface TemplateField {
  readonly name: string;
  readonly field: Field;
  readonly role: Exclude<ColumnRole, 'mark' | 'shown'>;
  /** Which rows must fill it in: every row, rows that create a record, or none. */
  readonly need: 'always' | 'create' | 'never';
  /** Other columns that can be filled in instead; `alone` where only one of them may be. */
  readonly instead: readonly string[];
  readonly alone: boolean;
  /** Only taken of a row that creates a record. */
  readonly onlyNew: boolean;
}

/** The columns of a resource to fill in: required ones first, then keys, then the others. */
export function templateFields(resource: Resource): TemplateField[] {
  const { columns: amounts, alone } = amountsOf(resource);
  // Of the columns of a group one is enough.
  const groups = Object.values(resource.fields).flatMap(({ refers }) =>
    refers === undefined ? [] : [keysFor(resource, refers.sets)],
  );
  if ('external' in resource) groups.push([resource.id, resource.external]);
  groups.push([...amounts]);
  const fields = Object.entries(resource.fields)
    .filter(([, field]) => !readOnly(field))
    .map(([name, field]): TemplateField => {
      const need = needOf(resource, name);
      const role = need !== 'never' ? 'required' : resource.keys.includes(name) ? 'key' : 'optional';
      const group = groups.find((one) => one.includes(name)) ?? [];
      const instead = group.filter((other) => other !== name);
      const onlyNew = 'update' in resource.requests && field.create !== 'none' && field.update === 'none';
      return { name, field, role, need, instead, alone: alone && amounts.includes(name), onlyNew };
    });
  return (['required', 'key', 'optional'] as const).flatMap((role) =>
    fields.filter((one) => one.role === role),
  );
}

const amountsOf = (resource: Resource) =>
  kindOf(resource).amounts?.(resource) ?? { columns: [], alone: false };

function needOf(resource: Resource, name: string): TemplateField['need'] {
  const { fields, keys, requests } = resource;
  const field = fields[name];
  if (field === undefined) return 'never';
  if (field.refers !== undefined) return needOf(resource, field.refers.sets);
  if (amountsOf(resource).columns.includes(name)) return 'always';
  // Records that only the service creates are found again by their id.
  if (!('create' in requests)) return field.update === 'required' ? 'always' : 'never';
  if (field.create !== 'required') return 'never';
  return 'update' in requests && !keys.includes(name) ? 'create' : 'always';
}

const listed = (names: readonly string[]): Bilingual => t(names.join(' or '), names.join(' of '));

/** The column of the user's own key; null where the resource has none. */
const ownKey = (resource: Resource): string | null => ('external' in resource ? resource.external : null);

/** When a column must be filled in: in a sentence or two, and in a word or two for a list of columns. */
interface Need {
  readonly text: Bilingual;
  readonly word: Bilingual;
}

const OPTIONAL: Need = { text: t('Not required.', 'Niet verplicht.'), word: t('no', 'nee') };
const ALWAYS: Need = { text: t('Required.', 'Verplicht.'), word: t('yes', 'ja') };
const ONLY_NEW = t('Not required; only for a new record.', 'Niet verplicht; alleen bij een nieuw record.');
const ON_CREATE: Need = {
  text: t(
    'Required for a new record; may be empty in a change.',
    'Verplicht bij een nieuw record; mag leeg blijven bij een wijziging.',
  ),
  word: t('when new', 'bij nieuw'),
};

function whenNeeded(resource: Resource, column: TemplateField): Need {
  const { name, role, need, instead, alone, onlyNew } = column;
  const { en, nl } = listed([name, ...instead]);
  if (role === 'key') {
    const own = ownKey(resource) ?? name;
    return {
      text: t(
        `Which existing record: ${en}. A new row: a ${own} of your own, or none; then you are asked whether it is new (create in #action says so).`,
        `Welk bestaand record: ${nl}. Een nieuwe rij: een eigen ${own}, of geen; dan wordt gevraagd of die nieuw is (create in #action zegt dat).`,
      ),
      word:
        name === ownKey(resource)
          ? t('key; your own when new', 'sleutel; eigen nummer bij nieuw')
          : t('key', 'sleutel'),
    };
  }
  if (need === 'never') return onlyNew ? { ...OPTIONAL, text: ONLY_NEW } : OPTIONAL;
  if (instead.length === 0) return need === 'always' ? ALWAYS : ON_CREATE;
  const both = alone ? t(', not both', ', niet allebei') : same('');
  return {
    text: t(`Required: one of ${en}${both.en}.`, `Verplicht: één van ${nl}${both.nl}.`),
    word: t('yes, one of these', 'ja, één van deze'),
  };
}

/** Where a column's values come from; empty where users make them up. */
function sourceText(
  resource: Resource,
  { name, field: { lookup, refers, codec } }: TemplateField,
  { resources, lists }: TemplateSetup,
): Bilingual {
  if (lookup !== undefined) {
    const [en, nl] = [`The service’s list ${lookup.name}`, `De lijst ${lookup.name} van het systeem`];
    return lists.some((list) => list.lookup === lookup.name)
      ? t(`${en}: choose a name, or type its number.`, `${nl}: kies een naam, of typ het nummer.`)
      : t(`${en}: a name from it, or its number.`, `${nl}: een naam daaruit, of het nummer.`);
  }
  if (refers !== undefined) {
    const sheets = refers.resources.flatMap(
      (one) => resources.find((other) => other.name === one)?.sheet ?? [],
    );
    const key = name.split('.').at(-1) ?? name;
    const { en, nl } = listed(sheets);
    if (refers.byArticle === true)
      return t(
        `${key} or ${key}Extern of sheet ${en}, as the service has it.`,
        `${key} of ${key}Extern van werkblad ${nl}, zoals het in het systeem staat.`,
      );
    return t(
      `${key} of sheet ${en}; also of a row in this workbook.`,
      `${key} van werkblad ${nl}; ook van een rij in deze werkmap.`,
    );
  }
  if (name === ownKey(resource)) return t('A number of your own choice.', 'Een nummer dat je zelf kiest.');
  if ('id' in resource && name === resource.id)
    return t(
      'The service’s number; it stands in #id of a result.',
      'Het nummer van het systeem; het staat in #id van een resultaat.',
    );
  const isNumber = codec.type === 'integer' && /ID$/.test(name);
  return isNumber ? t('A number of the service.', 'Een nummer uit het systeem.') : same('');
}

/** By cell type: how Excel checks its cells, and the usual width of its columns in characters. */
const CELLS: Readonly<Record<keyof typeof FORMATS, { check: CellCheck['type']; width: number }>> = {
  integer: { check: 'whole', width: 12 },
  decimal: { check: 'decimal', width: 12 },
  text: { check: 'any', width: 28 },
  boolean: { check: 'list', width: 10 },
  day: { check: 'date', width: 13 },
  moment: { check: 'date', width: 18 },
  time: { check: 'time', width: 10 },
  choice: { check: 'any', width: 16 },
};

const EXPECTED: Readonly<Record<keyof typeof FORMATS, Bilingual>> = {
  integer: t('A whole number, 0 or more, is expected here.', 'Hier hoort een geheel getal van 0 of meer.'),
  decimal: t('A number is expected here.', 'Hier hoort een getal.'),
  text: same(''),
  boolean: t('Yes or No is expected here.', 'Hier hoort Ja of Nee.'),
  day: t('A date is expected here, such as 31 Dec 2027.', 'Hier hoort een datum, zoals 31-12-2027.'),
  moment: t(
    'A date and time are expected here, such as 31 Dec 2027 14:30.',
    'Hier horen een datum en tijd, zoals 31-12-2027 14:30.',
  ),
  time: t('A time is expected here, such as 14:30.', 'Hier hoort een tijd, zoals 14:30.'),
  choice: t(
    'This is not in the list. A number (id) may stand here too.',
    'Dit staat niet in de lijst. Een nummer (id) mag hier ook staan.',
  ),
};

const CLEARS = t('To clear the field: #CLEAR.', 'Om het veld leeg te maken: #CLEAR.');

interface TemplateSetup {
  readonly language: Language;
  /** All resources: columns refer to one another's sheets. */
  readonly resources: readonly Resource[];
  readonly lists: readonly ChoiceList[];
}

/** A column of a template; `told` are its cells in the guide's table of columns. */
interface DescribedColumn {
  readonly name: string;
  readonly column: WrittenColumn;
  readonly check: CellCheck;
  readonly told: readonly string[];
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
    ...describeMarks(resource, setup.language),
    ...fields.filter(({ role }) => role === 'optional').map(describe),
  ];
}

function describeField(resource: Resource, one: TemplateField, setup: TemplateSetup): DescribedColumn {
  const { name, field, role } = one;
  const { language, lists } = setup;
  const type = cellTypeOf(field);
  const list = lists.find(({ lookup }) => lookup === field.lookup?.name);
  const choices = list?.choices ?? [];
  // #CLEAR is allowed too, so other contents get a warning and are not refused.
  const clearable = isClearable(resource, name);
  const error = EXPECTED[type][language] + (clearable ? ` ${CLEARS[language]}` : '');
  const style = clearable || type === 'boolean' || type === 'choice' ? 'warning' : 'stop';
  const choice = list ?? (type === 'boolean' ? BOOLEAN_WORDS[language] : undefined);
  const header = role === 'required' ? `${name} *` : name;
  const widest = Math.max(0, ...choices.map(({ text }) => text.length)) + 3;
  return describeColumn(
    {
      ...{ name, type: TYPE_WORDS[type], need: whenNeeded(resource, one), meaning: field.help, clearable },
      source: sourceText(resource, one, setup),
      // An example from the list itself, where there is one.
      example: choices.find(({ id }) => id === field.example)?.text ?? exampleText(field, language),
    },
    {
      ...{ header, role, wraps: type === 'text' },
      // A choice from a list stays text, whatever it looks like.
      format: list === undefined ? FORMATS[type][language] : '@',
      width: Math.max(header.length + ARROW, CELLS[type].width, Math.min(WIDEST_CHOICE, widest)),
    },
    choice === undefined
      ? { style, error, type: CELLS[type].check }
      : { style, error, type: 'list', list: 'name' in choice ? { name: choice.name } : choice },
    language,
  );
}

const KEY_MEANING = t(
  'A reference of your own that makes the row unique: it is posted at most once, ever',
  'Een eigen kenmerk dat de rij uniek maakt: die wordt hooguit één keer geboekt, ooit',
);

const actionMeaning = (own: string | null): Bilingual =>
  own === null
    ? t(
        'What to do with the row; empty: create it when it is new, else change what differs',
        'Wat er met de rij moet gebeuren; leeg: aanmaken als die nieuw is, anders wijzigen wat verschilt',
      )
    : t(
        `What to do with the row; empty: create it when its ${own} is new, else change what differs. Without a key you are asked whether the row is new, unless this says create`,
        `Wat er met de rij moet gebeuren; leeg: aanmaken als ${own} nieuw is, anders wijzigen wat verschilt. Zonder sleutel wordt gevraagd of de rij nieuw is, tenzij hier create staat`,
      );

/** The program's own columns: `#action`, and `#key` where rows can't be found again. */
function describeMarks(resource: Resource, language: Language): DescribedColumn[] {
  const list = actionsOf(resource);
  const mark = { type: TYPE_WORDS.text, need: OPTIONAL, clearable: false };
  const look = { role: 'mark', format: '@', wraps: false } as const;
  const source = same(list.join(', '));
  const action = describeColumn(
    { ...mark, name: '#action', meaning: actionMeaning(ownKey(resource)), source, example: 'skip' },
    { ...look, header: '#action', width: 12 },
    { style: 'stop', type: 'list', list, error: `${source[language]}.` },
    language,
  );
  if (kindOf(resource).keyed !== true) return [action];
  const free = t('Of your own choice.', 'Kies je zelf.');
  const key = describeColumn(
    { ...mark, name: '#key', meaning: KEY_MEANING, source: free, example: 'week12-koelcel-1' },
    { ...look, header: '#key', width: 20 },
    { style: 'stop', type: 'any', error: `${free[language]}.` },
    language,
  );
  return [action, key];
}

/** What people are told of a column; an empty source or example is left out. */
interface ColumnTexts {
  readonly name: string;
  readonly type: Bilingual;
  readonly need: Need;
  readonly meaning: Bilingual;
  readonly source: Bilingual;
  readonly example: string;
  readonly clearable: boolean;
}

const LABELS = {
  type: t('Type', 'Soort'),
  source: t('Values', 'Waarden'),
  example: t('Example', 'Voorbeeld'),
} as const;
const CLEAR = t('#CLEAR clears the field.', '#CLEAR maakt het veld leeg.');

function describeColumn(
  texts: ColumnTexts,
  look: Omit<WrittenColumn, 'note' | 'check'>,
  accepted: Omit<CellCheck, 'prompt'>,
  language: Language,
): DescribedColumn {
  const { name, need, example, clearable } = texts;
  const [type, meaning, source] = [texts.type[language], texts.meaning[language], texts.source[language]];
  const when = need.text[language];
  const labelled = (label: keyof typeof LABELS, text: string): string[] =>
    text === '' ? [] : [`${LABELS[label][language]}: ${text}`];
  const last = labelled('example', example);
  const clear = clearable ? [CLEAR[language]] : [];
  const check = { ...accepted, prompt: [`${meaning}.`, when, ...last].join(' ') };
  return {
    ...{ name, check },
    column: {
      ...look,
      check: () => check,
      note: [meaning, ...labelled('type', type), when, ...labelled('source', source), ...last, ...clear],
    },
    told: [name, need.word[language], type, meaning, source, example],
  };
}
