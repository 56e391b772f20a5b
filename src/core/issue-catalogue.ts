import { type Bilingual, t } from './language.ts';

/** The texts of one kind of issue. */
interface IssueEntry {
  readonly severity: 'error' | 'warning';
  /** What was found, where the cell shows nothing to quote. */
  readonly found?: Bilingual;
  /** What was expected, in a few words; `{number}` stands for a number in the file's locale. */
  readonly expected: Bilingual;
  /** What the user can do; `{hint}` stands for the issue's own hint, such as near names. */
  readonly advice: Bilingual;
  /** Whether the advice says it all where there is any. */
  readonly brief?: true;
}

/** An issue that stops its row; its advice is its own hint unless told otherwise. */
/* @__NO_SIDE_EFFECTS__ */
const error = (expected: Bilingual, advice = t('{hint}', '{hint}')): IssueEntry => ({
  severity: 'error',
  expected,
  advice,
});

/** An issue that tells how a value was read. */
/* @__NO_SIDE_EFFECTS__ */
const warning = (expected: Bilingual, advice = t('read as {hint}', 'gelezen als {hint}')): IssueEntry => ({
  severity: 'warning',
  expected,
  advice,
});

/** Advice on a field that both changed. */
const WHOSE = t(
  'it {hint}; --on-conflict mine sends yours, theirs leaves it',
  'het {hint}; --on-conflict mine verstuurt die van jou, theirs laat het zo',
  t('it {hint}', 'het {hint}'),
);

const WHICH = t('a key that says which record this is', 'een sleutel die zegt welk record dit is');

/** Every issue of a cell or a row: a stable code with its texts. Those of a value come first, by its type. */
export const ISSUES = {
  'number-expected': error(t('a number such as {number}', 'een getal zoals {number}')),
  'number-grouping': warning(
    t('a number without a thousands separator', 'een getal zonder scheidingsteken voor duizendtallen'),
  ),
  'number-other-locale': error(t('a number such as {number}', 'een getal zoals {number}')),
  'number-percent': warning(t('a number without a percent sign', 'een getal zonder procentteken')),
  'number-written-oddly': warning(
    t(
      'a number with its minus in front and no exponent',
      'een getal met zijn minteken voorop en zonder exponent',
    ),
  ),
  'number-scaled': warning(
    t('a number that is shown in full', 'een getal dat voluit te zien is'),
    t('the cell holds {hint}, and that is sent', 'de cel bevat {hint}, en dat wordt verstuurd'),
  ),
  'units-differ': error(
    t('numbers of one unit in the column', 'getallen in één eenheid in de kolom'),
    t(
      'the column shows {hint}: convert all to one unit, and give them one number format',
      'de kolom toont {hint}: reken alles om naar één eenheid, met één getalnotatie',
    ),
  ),
  'price-below-zero': error(
    t('a price of 0 or more', 'een prijs van 0 of meer'),
    t(
      'correct it; if a price below zero is meant, make it so in the service first',
      'verbeter de prijs; is een prijs onder nul bedoeld, zet hem dan eerst zo in het systeem',
    ),
  ),
  'price-unlikely': warning(
    t('a price above 0 and of a million at most', 'een prijs boven 0 en van hoogstens een miljoen'),
    t('{hint}', '{hint}'),
  ),
  'identifier-expected': error(
    t('an id, as text or as a whole number', 'een nummer, als tekst of als geheel getal'),
  ),
  'integer-expected': error(t('a whole number', 'een geheel getal')),
  'integer-too-large': error(
    t('a whole number of at most 15 digits, in full', 'een geheel getal van hoogstens 15 cijfers, voluit'),
    t('enter it without an exponent', 'vul het in zonder exponent'),
  ),
  'integer-rounded': warning(
    t(
      'a whole number of at most 15 digits, as Excel keeps no more',
      'een geheel getal van hoogstens 15 cijfers, meer bewaart Excel er niet',
    ),
  ),
  'integer-written-oddly': warning(t('a whole number', 'een geheel getal')),
  'id-negative': error(
    t('an id, which is never below zero', 'een id: dat is nooit onder nul'),
    t('remove the minus sign', 'haal het minteken weg'),
  ),
  'id-zero': error(
    t('an id of 1 or more', 'een id van 1 of meer'),
    t('leave the cell empty, or correct the formula', 'laat de cel leeg, of verbeter de formule'),
  ),
  'boolean-expected': error(t('Ja or Nee', 'Ja of Nee')),
  'date-expected': error(
    t('a date such as 31 Dec 2026 or 2026-12-31 14:30', 'een datum zoals 31-12-2026 of 2026-12-31 14:30'),
  ),
  'date-two-digit-year': error(
    t('a year of four digits', 'een jaartal van vier cijfers'),
    t('write the year in full', 'schrijf het jaar voluit'),
  ),
  'date-order': warning(t('a date that reads one way only', 'een datum die maar op één manier te lezen is')),
  'date-written-oddly': warning(t('a date such as 31 Dec 2026', 'een datum zoals 31-12-2026')),
  'date-zone': warning(
    t('a time without a time zone', 'een tijd zonder tijdzone'),
    t('the zone is passed over: read as {hint}', 'de zone telt niet mee: gelezen als {hint}'),
  ),
  'date-with-time': warning(
    t('a day without a time', 'een dag zonder tijd'),
    t('read with its time, as {hint}', 'gelezen met de tijd erbij, als {hint}'),
  ),
  'date-far': warning(t('a date within 20 years of now', 'een datum binnen 20 jaar van nu')),
  'date-weekday': error(
    t('a weekday and a date that go together', 'een weekdag en een datum die bij elkaar horen'),
  ),
  'time-expected': error(
    t('a time such as 14:30, with or without its day', 'een tijd zoals 14:30, met of zonder dag'),
  ),
  'time-written-oddly': warning(t('a time such as 14:30', 'een tijd zoals 14:30')),
  'next-day': warning(
    t('a time after the begin', 'een tijd na het begin'),
    t('read as the next day, {hint}', 'gelezen als de volgende dag, {hint}'),
  ),
  'time-other-day': warning(
    t('a time on the day of the event', 'een tijd op de dag van het evenement'),
    t('the event is on {hint}', 'het evenement is op {hint}'),
  ),
  'end-before-begin': error(t('an end after its begin', 'een einde na het begin')),
  'text-long': warning(
    t('a shorter text', 'een kortere tekst'),
    t(
      '{hint}; it is sent whole, and the service may cut it off',
      '{hint}; de hele tekst wordt verstuurd, maar het systeem kan hem afkappen',
    ),
  ),
  'text-characters': warning(
    t('text without control characters', 'tekst zonder besturingstekens'),
    t('read without them', 'gelezen zonder die tekens'),
  ),
  'null-word': error(
    t(
      'a text: a program writes this where it holds nothing',
      'een tekst: een programma schrijft dit waar het niets heeft',
    ),
  ),
  'choice-expected': error(
    t('one of the allowed values', 'een van de toegestane waarden'),
    t('use {hint}', 'gebruik {hint}'),
  ),
  'error-cell': error(
    t('a value', 'een waarde'),
    t('enter a value, or correct the formula', 'vul een waarde in of verbeter de formule'),
  ),
  'formula-without-result': {
    ...error(
      t('a value', 'een waarde'),
      t(
        'open and save the file in a spreadsheet program, so that the result is stored',
        'open het bestand in een spreadsheetprogramma en sla het op, zodat de uitkomst erin staat',
      ),
    ),
    found: t('a formula without a stored result', 'een formule zonder bewaarde uitkomst'),
  },
  'formula-circular': {
    ...error(
      t('a value', 'een waarde'),
      t('enter a value, or correct the formula', 'vul een waarde in of verbeter de formule'),
    ),
    found: t('a formula that refers to itself', 'een formule die naar zichzelf verwijst'),
  },
  'required-missing': { ...error(t('a value', 'een waarde')), brief: true },
  'column-missing': error(t('a column for this field', 'een kolom voor dit veld')),
  'cell-beyond-header': error(
    t('no value in a column without a header', 'geen waarde in een kolom zonder kop'),
    t('{hint}', '{hint}'),
  ),
  'quotes-literal': warning(
    t('a quote inside a text written twice', 'een aanhalingsteken in een tekst dubbel geschreven'),
    t(
      'the line was read by itself, with this quote as it stands',
      'de regel is los gelezen, met dit aanhalingsteken zoals het er staat',
    ),
  ),
  'quotes-over-rows': warning(
    t('a text that does not look like rows', 'een tekst die niet op rijen lijkt'),
    t(
      'read as one text, as its quotes say; if they are rows, take the quote out',
      'gelezen als één tekst, zoals de aanhalingstekens zeggen; zijn het rijen, haal het aanhalingsteken dan weg',
    ),
  ),
  'quotes-around-row': warning(
    t('quotes around a text, not around the whole row', 'aanhalingstekens om een tekst, niet om de hele rij'),
    t('read without them', 'gelezen zonder'),
  ),
  'quotes-broken': error(
    t('quotes that close before a separator', 'aanhalingstekens die vóór een scheidingsteken sluiten'),
    t(
      '{hint}: take the stray quote out, or write it twice inside a text between quotes',
      '{hint}: haal het losse aanhalingsteken weg, of schrijf het dubbel in een tekst tussen aanhalingstekens',
    ),
  ),
  'second-header': error(
    t('a row of the table above', 'een rij van de tabel erboven'),
    t(
      'row {hint} holds other headers: put the table below it on a sheet of its own',
      'rij {hint} bevat andere koppen: zet de tabel daaronder op een eigen werkblad',
    ),
  ),
  'cannot-clear': error(
    t('a value; this field cannot be cleared', 'een waarde; dit veld mag niet leeg worden'),
    t(
      'replace #CLEAR by a value or leave the cell empty',
      'vervang #CLEAR door een waarde of laat de cel leeg',
    ),
  ),
  'action-unknown': error(
    t('create, update, delete, skip or nothing', 'create, update, delete, skip of niets'),
    t('correct the #action cell', 'verbeter de cel onder #action'),
  ),
  'delete-not-allowed': error(
    t('permission to delete', 'toestemming om te verwijderen'),
    t(
      'import again with --allow-delete',
      'importeer opnieuw met --allow-delete',
      t('agree to deleting, and plan it again', 'stem in met verwijderen, en plan het opnieuw'),
    ),
  ),
  'action-not-possible': error(t('an action that this kind of row has', 'een actie die dit soort rij kent')),
  'key-missing': error(WHICH, t('fill in {hint}', 'vul in: {hint}')),
  'key-not-given': error(WHICH),
  'keys-differ': error(t('keys of one and the same record', 'sleutels van één en hetzelfde record')),
  'parent-not-sent': error(
    t('a record that is there or can be sent', 'een record dat er is of verstuurd kan worden'),
    t('correct {hint} first', 'verbeter eerst {hint}'),
  ),
  'reference-ambiguous': error(
    t('an ExternalID of one record', 'een ExternalID van één record'),
    t('{hint} have it; name the one you mean by its id', '{hint} hebben het; noem het bedoelde met zijn id'),
  ),
  'text-cut': warning(
    t('a text that the service keeps whole', 'een tekst die het systeem helemaal bewaart'),
    t('the service keeps the first {hint} characters', 'het systeem bewaart de eerste {hint} tekens'),
  ),
  'not-kept': warning(
    t('a value that the service keeps', 'een waarde die het systeem bewaart'),
    t('the service keeps nothing of {hint}', 'het systeem bewaart niets van {hint}'),
  ),
  'create-only': warning(
    t('the value that the record has', 'de waarde die het record heeft'),
    t(
      'only a create takes this field; the record keeps {hint}',
      'dit veld gaat alleen mee bij het aanmaken; het record houdt {hint}',
    ),
  ),
  'record-twice': warning(
    t('one row for each record', 'één rij voor elk record'),
    t(
      '{hint} is about the same record; what they say is sent in the order of the file',
      '{hint} gaat over hetzelfde record; wat ze zeggen wordt verstuurd in de volgorde van het bestand',
    ),
  ),
  'created-twice': error(
    t('one row that says what becomes of this record', 'één rij die zegt wat er van dit record wordt'),
    t(
      '{hint} is about it too: delete one of the two, or correct its key',
      '{hint} gaat er ook over: verwijder een van de twee, of verbeter de sleutel',
    ),
  ),
  'value-twice': error(
    t('the same value in all rows on one record', 'dezelfde waarde in alle rijen over één record'),
    t('{hint} says otherwise: correct one of the two', '{hint} zegt iets anders: verbeter een van de twee'),
  ),
  'linked-twice': error(
    t(
      'what is linked once, so that it alone is changed',
      'wat één keer gekoppeld is, zodat alleen dat wijzigt',
    ),
    t(
      'it is linked {hint} times, and this would hit them all, as the service can’t tell them apart: change it there',
      'het is {hint} keer gekoppeld, en dit zou ze allemaal raken, want het systeem houdt ze niet uit elkaar: wijzig het daar',
    ),
  ),
  'changed-by-both': error(
    t('a field that nobody else changed meanwhile', 'een veld dat niemand anders intussen gewijzigd heeft'),
    WHOSE,
  ),
  'changed-meanwhile': error(
    t(
      'a field that nobody else changed since the plan was made',
      'een veld dat niemand anders gewijzigd heeft sinds het plan gemaakt is',
    ),
    t('in the plan it was {hint} on the service', 'in het plan was het {hint} in het systeem'),
  ),
  'cell-not-sent': warning(
    t(
      'what the record holds: this column is not sent',
      'wat in het record staat: deze kolom wordt niet verstuurd',
    ),
    t('{hint}', '{hint}'),
  ),
  'record-missing': error(
    t('a record the service has', 'een record dat het systeem heeft'),
    t('not in {hint}', 'staat niet in {hint}'),
  ),
  'record-deleted': error(t('a record the service still has', 'een record dat het systeem nog heeft')),
  'total-or-record': error(
    t('the name of a record', 'de naam van een record'),
    t(
      'it looks like a total: put skip in #action, or update or create if there really is such a record',
      'het lijkt een totaal: zet skip in #action, of update of create als er echt zo’n record is',
    ),
  ),
  'key-twice': error(
    t('a #key of its own', 'een eigen #key'),
    t('{hint} has the same #key', '{hint} heeft dezelfde #key'),
  ),
  'amount-missing': error(t('an amount', 'een aantal'), t('fill in {hint}', 'vul {hint} in')),
  'amount-twice': error(
    t('one counted amount, in one of the two units', 'één geteld aantal, in een van de twee eenheden'),
    t('leave one of the two columns empty', 'laat een van de twee kolommen leeg'),
  ),
  'amount-not-countable': error(
    t('an amount of 0 or more that can be counted', 'een aantal van 0 of meer dat te tellen is'),
  ),
  'counted-twice': error(
    t('one count for each product', 'één telling per product'),
    t('also counted: {hint}; add them up in one row', 'ook geteld: {hint}; tel ze op in één rij'),
  ),
  'counted-ahead': error(
    t('a moment that has passed', 'een moment dat al voorbij is'),
    t(
      'nobody can have counted then, as it is {hint} now: correct the date',
      'toen kan niemand geteld hebben, want het is nu {hint}: verbeter de datum',
    ),
  ),
  'header-twice': error(
    t('one column for this field, or the same in all', 'één kolom voor dit veld, of in alle hetzelfde'),
    t(
      'choose one of the columns {hint}: rename the others, or name it in --map',
      'kies een van de kolommen {hint}: hernoem de andere, of noem hem in --map',
      t('choose one of the columns {hint}', 'kies een van de kolommen {hint}'),
    ),
  ),
  'lookup-unknown': error(t('an id or a known name', 'een id of een bekende naam')),
  'lookup-id-unknown': warning(
    t('an id that the service’s list has', 'een id dat in de lijst van het systeem staat'),
    t('{hint}', '{hint}'),
  ),
  'id-without-record': error(
    t('the id of a record that the service has', 'het id van een record dat het systeem heeft'),
    t('the service has no {hint} with this id', 'het systeem heeft geen {hint} met dit id'),
  ),
  'record-of-another': warning(
    t('a record that belongs with it', 'een record dat erbij hoort'),
    t('{hint}', '{hint}'),
  ),
  'lookup-ambiguous': error(
    t('a name that stands for one id', 'een naam die bij één id hoort'),
    t('use one of these: {hint}', 'gebruik een van deze: {hint}'),
  ),
  'lookup-unreadable': error(
    t('an id', 'een id'),
    t('names cannot be looked up here: {hint}', 'namen kunnen hier niet worden opgezocht: {hint}'),
  ),
  'file-outside': error(
    t('the path of a file within the folder', 'het pad van een bestand binnen de map'),
    t('write it from {hint} on', 'schrijf het vanaf {hint}'),
  ),
  'file-missing': error(t('a file that can be read', 'een bestand dat te lezen is')),
  'name-unsafe': error(t('what can stand in the name of a file', 'wat in de naam van een bestand kan staan')),
  'folder-unsafe': error(
    t('a folder of the event, such as Offertes', 'een map bij het evenement, zoals Offertes'),
    t('without .. and without / or C: before it', 'zonder .. en zonder / of C: ervoor'),
  ),
  'service-refused': error(
    t('a value the service accepts', 'een waarde die het systeem aanneemt'),
    t('the service says: {hint}', 'het systeem zegt: {hint}'),
  ),
} as const satisfies Record<string, IssueEntry>;

/** The stable code of an issue. */
export type IssueCode = keyof typeof ISSUES;
