import { asTyped, type Bilingual, type Form, type Language, same, t } from '../core/language.ts';
import { foundBy } from '../kinds/kind.ts';
import { kindOf } from '../kinds/kinds.ts';
import { actionsOf, type Resource } from '../schema/resource.ts';
import type { ColumnRole } from '../xlsx/write/book-styles.ts';
import type { PageCell, WrittenPage } from '../xlsx/write/written-book.ts';
import type { describeColumns } from './columns.ts';

/** A term with its explanation; `role` shows the term as a header of that role. */
interface GuideTerm {
  readonly name: Bilingual;
  readonly text: Bilingual;
  readonly role?: ColumnRole | undefined;
}

const term = (name: Bilingual, en: string, nl: string, role?: ColumnRole): GuideTerm => ({
  ...{ name, role },
  text: t(en, nl),
});

/** Titles and other short texts of the guide. */
const GUIDE_WORDS = {
  title: t('How to fill in this workbook', 'Zo vul je deze werkmap in'),
  lead: t(
    'Fill in one row for each record, from row 2 down. Sheets that you don’t need stay empty. Point at a header to read what it means.',
    'Vul per record één rij in, vanaf rij 2. Werkbladen die je niet nodig hebt, blijven leeg. Wijs een kop aan om te lezen wat die betekent.',
  ),
  steps: t('From template to result', 'Van sjabloon naar resultaat'),
  rules: t('What a cell may hold', 'Wat er in een cel mag staan'),
  colours: t('The headers', 'De koppen'),
  sheets: t('The sheets', 'De werkbladen'),
  columns: t('All columns', 'Alle kolommen'),
} as const;

const STEPS: readonly GuideTerm[] = [
  term(
    t('1. Fill in', '1. Invullen'),
    'Fill in the sheets and save the workbook, for example as week12.xlsx.',
    'Vul de werkbladen in en sla de werkmap op, bijvoorbeeld als week12.xlsx.',
  ),
  term(
    t('2. Try', '2. Proberen'),
    'catersheet import week12.xlsx --dry-run checks every row and shows what would change. Nothing is sent.',
    'catersheet import week12.xlsx --dry-run controleert elke rij en laat zien wat er zou veranderen. Er wordt niets verstuurd.',
  ),
  term(
    t('3. Send', '3. Versturen'),
    'catersheet import week12.xlsx shows the same, asks whether to send it, and then does. Nothing is sent twice.',
    'catersheet import week12.xlsx laat hetzelfde zien, vraagt om bevestiging en verstuurt het dan. Niets wordt twee keer verstuurd.',
  ),
  term(
    t('4. Look back', '4. Nakijken'),
    'week12.result.xlsx is this workbook with the outcome beside every row. Correct rows there and import that file again.',
    'week12.result.xlsx is deze werkmap met naast elke rij wat ervan geworden is. Verbeter rijen daarin en importeer dat bestand opnieuw.',
  ),
];

/** The same for who works on the page. */
const PAGE_STEPS: readonly GuideTerm[] = [
  ...STEPS.slice(0, 1),
  term(
    t('2. Try', '2. Proberen'),
    'Bring the workbook to the page that this one comes from. It checks every row and shows what would change. Nothing is sent.',
    'Breng de werkmap naar de pagina waar deze vandaan komt. Die controleert elke rij en laat zien wat er zou veranderen. Er wordt niets verstuurd.',
  ),
  term(
    t('3. Send', '3. Versturen'),
    'The page asks whether to send exactly that, and then does. Nothing is sent twice.',
    'De pagina vraagt of precies dat verstuurd moet worden, en doet het dan. Niets wordt twee keer verstuurd.',
  ),
  term(
    t('4. Look back', '4. Nakijken'),
    'What comes back is this workbook with the outcome beside every row. Correct rows on the page, or in that workbook and bring it again.',
    'Wat terugkomt is deze werkmap met naast elke rij wat ervan geworden is. Verbeter rijen op de pagina, of in die werkmap en breng die opnieuw.',
  ),
];

/** A rule as the page says it, where it names an option of a command. */
const PAGE_RULE = term(
  same('#action'),
  'Empty: create or change as needed. Or choose create, update, delete or skip, as far as the sheet allows. Of new rows without a key you are asked once whether to create them, unless they say create; whether to delete is asked on its own.',
  'Leeg: aanmaken of wijzigen, wat nodig is. Of kies create, update, delete of skip, voor zover het werkblad dat toelaat. Van nieuwe rijen zonder sleutel wordt één keer gevraagd of ze aangemaakt moeten worden, tenzij er create staat; of er verwijderd mag worden, wordt apart gevraagd.',
);

const RULES: readonly GuideTerm[] = [
  term(
    t('empty cell', 'lege cel'),
    'Leaves the field as it is. A column that is deleted is never touched either.',
    'Laat het veld zoals het is. Ook een kolom die je verwijdert, wordt nooit aangeraakt.',
  ),
  term(
    same('#CLEAR'),
    'Clears the field. The notes on the headers say where it may stand.',
    'Maakt het veld leeg. In de notities bij de koppen staat waar dat mag.',
  ),
  term(
    same('#action'),
    'Empty: create or change as needed. Or choose create, update, delete or skip, as far as the sheet allows. Of new rows without a key you are asked once whether to create them, unless they say create; delete also needs --allow-delete.',
    'Leeg: aanmaken of wijzigen, wat nodig is. Of kies create, update, delete of skip, voor zover het werkblad dat toelaat. Van nieuwe rijen zonder sleutel wordt één keer gevraagd of ze aangemaakt moeten worden, tenzij er create staat; voor delete is ook --allow-delete nodig.',
  ),
  term(
    same('#key'),
    'On the stock sheets: a reference of your own for the row. A row with a reference that was posted before is not posted again.',
    'Op de voorraadbladen: een eigen kenmerk van de rij. Een rij met een kenmerk dat al geboekt is, wordt niet nog eens geboekt.',
  ),
  term(
    t('lists', 'keuzelijsten'),
    'Choose a name from the list where there is one; its number (id) may stand there too. Where two share a name, the number stands behind it.',
    'Kies een naam uit de lijst waar die er is; het nummer (id) mag ook. Waar er twee dezelfde naam hebben, staat het nummer erachter.',
  ),
  term(
    t('dates and times', 'datums en tijden'),
    '31 Dec 2027, 31 Dec 2027 14:30 or 14:30. The year has four digits. No time zone moves them.',
    '31-12-2027, 31-12-2027 14:30 of 14:30. Het jaar heeft vier cijfers. Geen tijdzone verschuift ze.',
  ),
  term(
    t('to other sheets', 'naar andere bladen'),
    'Event.ExternalID and Product.ExternalID name a record by your own number, also one that a row of this workbook creates: the sheets are sent in the right order, whatever theirs here. Product.Artikelnummer names a product that is there already.',
    'Event.ExternalID en Product.ExternalID noemen een record met je eigen nummer, ook een dat een rij van deze werkmap aanmaakt: de werkbladen worden in de juiste volgorde verstuurd, hoe ze hier ook staan. Product.Artikelnummer noemt een product dat er al is.',
  ),
  term(
    t('your own columns', 'eigen kolommen'),
    'Columns may be moved, deleted or added; those of your own are left alone. The headers and the names of the sheets stay as they are.',
    'Kolommen mag je verplaatsen, verwijderen of toevoegen; eigen kolommen blijven ongemoeid. De koppen en de namen van de werkbladen blijven zoals ze zijn.',
  ),
];

/** The roles of columns, which show in the colours of their headers. */
const ROLES: readonly GuideTerm[] = [
  term(
    t('Required *', 'Verplicht *'),
    'To be filled in on every (new) row.',
    'In te vullen op elke (nieuwe) rij.',
    'required',
  ),
  term(
    t('Key', 'Sleutel'),
    'By which an existing record is found again. A new row may have an ExternalID of your own; without one you are asked whether it is new.',
    'Waarop een bestaand record wordt teruggevonden. Een nieuwe rij mag een eigen ExternalID hebben; zonder vraagt het programma of de rij nieuw is.',
    'key',
  ),
  term(
    same('#action'),
    'Says what the program does with the row.',
    'Zegt wat het programma met de rij doet.',
    'mark',
  ),
  term(
    t('Other', 'Overig'),
    'Fill in what you know; empty is fine.',
    'Vul in wat je weet; leeg mag.',
    'optional',
  ),
];

const COLUMN_HEADS: readonly Bilingual[] = [
  t('Sheet', 'Werkblad'),
  t('Column', 'Kolom'),
  t('Required', 'Verplicht'),
  t('Type', 'Soort'),
  t('Meaning', 'Betekenis'),
  t('Where values come from', 'Waar de waarden vandaan komen'),
  t('Example', 'Voorbeeld'),
];

interface DescribedSheet {
  readonly resource: Resource;
  readonly columns: ReturnType<typeof describeColumns>;
}

/** In characters; texts above the table span several columns. */
const WIDTHS = [19, 37, 16, 16, 44, 46, 20];

/** The page that explains how the other sheets are filled in, and lists all their columns. */
export function guidePage(
  sheets: readonly DescribedSheet[],
  language: Language,
  form: Form = asTyped,
): WrittenPage {
  const isTyped = form === asTyped;
  const own = isTyped ? RULES : RULES.map((rule) => (rule.name.en === PAGE_RULE.name.en ? PAGE_RULE : rule));
  const wide = (text: keyof typeof GUIDE_WORDS, look: PageCell['look']): PageCell[] => [
    { value: GUIDE_WORDS[text][language], look, span: WIDTHS.length },
  ];
  const section = (name: keyof typeof GUIDE_WORDS, terms: readonly GuideTerm[]): PageCell[][] => [
    [],
    wide(name, 'heading'),
    ...terms.map(({ name: { [language]: value }, text, role = 'term' as const }): PageCell[] => [
      { value, look: role },
      { value: text[language], look: 'sentence', span: WIDTHS.length - 1 },
    ]),
  ];
  const columns = sheets.flatMap(({ resource, columns }) =>
    columns.map(({ told }) =>
      [resource.sheet, ...told].map(
        (value, at): PageCell => ({ value, look: at === 1 ? 'term' : 'sentence' }),
      ),
    ),
  );
  return {
    ...{ widths: WIDTHS, chart: null, footer: GUIDE_WORDS.title[language] },
    rows: [
      wide('title', 'title'),
      wide('lead', 'sentence'),
      ...section('steps', isTyped ? STEPS : PAGE_STEPS),
      ...section('rules', own),
      ...section('colours', ROLES),
      ...section('sheets', sheets.map(sheetTerm)),
      ...section('columns', []),
      COLUMN_HEADS.map((head): PageCell => ({ value: head[language], look: 'key' })),
      ...columns,
    ],
  };
}

function sheetTerm({ resource }: DescribedSheet): GuideTerm {
  const { about, sheet } = resource;
  const actions = actionsOf(resource).join(', ');
  const { keys } = resource;
  const found =
    kindOf(resource).foundAgain?.(resource) ?? foundBy(keys.join(', else '), keys.join(', anders '));
  return term(
    same(sheet),
    `${about.en}. ${found.en} A row can: ${actions}.`,
    `${about.nl}. ${found.nl} Een rij kan: ${actions}.`,
  );
}
