import { type Bilingual, t, withFlag } from './language.ts';

/**
 * The texts of one kind of issue. In them `{value}` stands for what the cell holds, `{record}` for the key and
 * its value, `{hint}` for what the issue knows beside it, `{number}` for a number in the file's locale. A hint
 * that they have no place for is itself the way out.
 */
interface IssueEntry {
  readonly severity: 'error' | 'warning';
  /** What it is called in a list of problems. */
  readonly name: Bilingual;
  /** What is wrong; of a warning what was read, or is sent. */
  readonly says: Bilingual;
  /** What the user can do. */
  readonly way: Bilingual;
}

type Texts = readonly [name: Bilingual, says: Bilingual, way: Bilingual];

/** An issue that stops its row. */
/* @__NO_SIDE_EFFECTS__ */
const error = (...[name, says, way]: Texts): IssueEntry => ({ severity: 'error', name, says, way });

/** An issue that tells how a value was read. */
/* @__NO_SIDE_EFFECTS__ */
const warning = (...[name, says, way]: Texts): IssueEntry => ({ severity: 'warning', name, says, way });

const READ_AS = t('{value} is read as {hint}.', '{value} is gelezen als {hint}.');
const NO_KEY = t(
  'The row does not say which record it is about.',
  'De rij zegt niet over welk record het gaat.',
);
const ONE_OF_TWO = t('Correct one of the two.', 'Verbeter een van de twee.');
const NEW_VALUE = t('Enter a value, or correct the formula.', 'Vul een waarde in, of verbeter de formule.');
const ELSEWHERE = t('Change it in the service itself.', 'Wijzig het in het systeem zelf.');

/** Every issue of a cell or a row: a stable code with its texts. Those of a value come first, by its type. */
export const ISSUES = {
  'number-expected': error(
    t('not a number', 'geen getal'),
    t('{value} is not a number.', '{value} is geen getal.'),
    t('Write it like {number}.', 'Schrijf het zoals {number}.'),
  ),
  'number-grouping': warning(
    t('number with thousands', 'getal met duizendtallen'),
    READ_AS,
    t('To be safe, leave out the mark for thousands.', 'Laat het teken voor duizendtallen liever weg.'),
  ),
  'number-other-locale': error(
    t('number in another notation', 'getal in andere notatie'),
    t('{value} can be read in two ways.', '{value} kun je op twee manieren lezen.'),
    t('Write it like {number}.', 'Schrijf het zoals {number}.'),
  ),
  'number-percent': warning(
    t('number with a percent sign', 'getal met procentteken'),
    READ_AS,
    t(
      'To be safe, write that number without a percent sign.',
      'Schrijf liever dat getal zonder procentteken.',
    ),
  ),
  'number-scaled': warning(
    t('number shown in short', 'getal ingekort getoond'),
    t(
      'The cell shows {value}, but what it holds counts: {hint}.',
      'De cel toont {value}, maar wat erin staat telt: {hint}.',
    ),
    t('To be safe, show the whole number.', 'Toon liever het hele getal.'),
  ),
  'units-differ': error(
    t('units differ', 'eenheden verschillen'),
    t(
      '{value} is in a column with different units: {hint}.',
      '{value} staat in een kolom met verschillende eenheden: {hint}.',
    ),
    t(
      'Convert everything to one unit, with one number format.',
      'Reken alles om naar één eenheid, met één getalnotatie.',
    ),
  ),
  'price-below-zero': error(
    t('price below zero', 'prijs onder nul'),
    t('The price {value} is below zero.', 'De prijs {value} ligt onder nul.'),
    t(
      'Correct it. If it is right, enter it in the service first.',
      'Verbeter hem. Klopt hij wel, vul hem dan eerst in het systeem in.',
    ),
  ),
  'price-unlikely': warning(
    t('price unlikely', 'prijs onwaarschijnlijk'),
    t('{value} is an unlikely price.', '{value} is een onwaarschijnlijke prijs.'),
    t('Correct it if it is wrong.', 'Verbeter hem als hij niet klopt.'),
  ),
  'price-leaps': warning(
    t('price changes by more than half', 'prijs verandert met meer dan de helft'),
    t(
      '{value} changes the price by more than half: {hint}.',
      '{value} verandert de prijs met meer dan de helft: {hint}.',
    ),
    t('Correct it if it is wrong.', 'Verbeter hem als hij niet klopt.'),
  ),
  'count-far-off': warning(
    t('count far from the total', 'telling ver van het totaal'),
    t(
      '{value} differs from the total by more than ten times: {hint}.',
      '{value} scheelt meer dan tien keer met het totaal: {hint}.',
    ),
    t('Correct it if it is wrong.', 'Verbeter hem als hij niet klopt.'),
  ),
  'rule-not-held': warning(
    t('not as your rule says', 'niet volgens je regel'),
    t('{value} is not as your rule says.', '{value} is niet volgens je regel.'),
    t('Correct it.', 'Verbeter het.'),
  ),
  'identifier-expected': error(
    t('not an id', 'geen id'),
    t('{value} is not an id.', '{value} is geen id.'),
    t(
      'Give the cell the format Text and type the id again.',
      'Geef de cel de notatie Tekst en typ het id opnieuw.',
    ),
  ),
  'integer-expected': error(
    t('not a whole number', 'geen geheel getal'),
    t('{value} is not a whole number.', '{value} is geen geheel getal.'),
    t('Write it like 12.', 'Schrijf het zoals 12.'),
  ),
  'integer-too-large': error(
    t('whole number too large', 'geheel getal te groot'),
    t(
      '{value} has more than 15 digits, or is not written in full.',
      '{value} heeft meer dan 15 cijfers, of is niet voluit geschreven.',
    ),
    t('Write the number in full, without an exponent.', 'Schrijf het getal voluit, zonder exponent.'),
  ),
  'integer-rounded': warning(
    t('whole number rounded', 'geheel getal afgerond'),
    t(
      'Excel keeps 15 digits, so {value} may be rounded.',
      'Excel bewaart 15 cijfers, dus {value} kan afgerond zijn.',
    ),
    t('To be safe, write it as text.', 'Schrijf het liever als tekst.'),
  ),
  'integer-written-oddly': warning(
    t('whole number written oddly', 'geheel getal anders geschreven'),
    READ_AS,
    t('To be safe, write the digits alone.', 'Schrijf liever alleen de cijfers.'),
  ),
  'id-negative': error(
    t('id below zero', 'id onder nul'),
    t('An id is never below zero, and {value} is.', 'Een id ligt nooit onder nul, en {value} wel.'),
    t('Remove the minus sign.', 'Haal het minteken weg.'),
  ),
  'id-zero': error(
    t('id is zero', 'id is nul'),
    t('No record has id {value}.', 'Geen enkel record heeft id {value}.'),
    t('Leave the cell empty, or correct the formula.', 'Laat de cel leeg, of verbeter de formule.'),
  ),
  'boolean-expected': error(
    t('not yes or no', 'geen Ja of Nee'),
    t('{value} is neither Yes nor No.', '{value} is geen Ja en geen Nee.'),
    t('Write Yes or No.', 'Schrijf Ja of Nee.'),
  ),
  'date-expected': error(
    t('not a date', 'geen datum'),
    t('{value} is not a date.', '{value} is geen datum.'),
    t('Write it like 31 Dec 2026 or 2026-12-31 14:30.', 'Schrijf hem zoals 31-12-2026 of 2026-12-31 14:30.'),
  ),
  'date-two-digit-year': error(
    t('year too short', 'jaartal te kort'),
    t('{value} has a year of two digits.', '{value} heeft een jaartal van twee cijfers.'),
    t('Write the year in full, like 2026.', 'Schrijf het jaartal voluit, zoals 2026.'),
  ),
  'date-order': warning(
    t('day and month unclear', 'dag en maand onduidelijk'),
    READ_AS,
    t(
      'To be safe, write the month as a word, like 31 Dec 2026.',
      'Schrijf de maand liever als woord, zoals 31 dec 2026.',
    ),
  ),
  'date-written-oddly': warning(
    t('date written oddly', 'datum anders geschreven'),
    READ_AS,
    t('To be safe, write it like 31 Dec 2026.', 'Schrijf hem liever zoals 31-12-2026.'),
  ),
  'date-zone': warning(
    t('time with a time zone', 'tijd met tijdzone'),
    t(
      '{value} is read as {hint}, without its time zone.',
      '{value} is gelezen als {hint}, zonder de tijdzone.',
    ),
    t('To be safe, leave the time zone out.', 'Laat de tijdzone liever weg.'),
  ),
  'date-with-time': warning(
    t('date with a time', 'datum met tijd'),
    t('{value} is read with its time: {hint}.', '{value} is gelezen met de tijd erbij: {hint}.'),
    t('If you mean the day alone, leave the time out.', 'Bedoel je alleen de dag, laat de tijd dan weg.'),
  ),
  'date-far': warning(
    t('date far away', 'datum ver weg'),
    t(
      '{value} is read as {hint}, more than 20 years from now.',
      '{value} is gelezen als {hint}, en dat scheelt meer dan 20 jaar met nu.',
    ),
    t('Check the year.', 'Kijk het jaartal na.'),
  ),
  'date-weekday': error(
    t('weekday is wrong', 'weekdag klopt niet'),
    t('The weekday in {value} is not the one of its date.', 'De weekdag in {value} past niet bij de datum.'),
    ONE_OF_TWO,
  ),
  'time-expected': error(
    t('not a time', 'geen tijd'),
    t('{value} is not a time.', '{value} is geen tijd.'),
    t('Write it like 14:30, with or without its day.', 'Schrijf hem zoals 14:30, met of zonder dag.'),
  ),
  'time-written-oddly': warning(
    t('time written oddly', 'tijd anders geschreven'),
    READ_AS,
    t('To be safe, write it like 14:30.', 'Schrijf hem liever zoals 14:30.'),
  ),
  'next-day': warning(
    t('next day', 'volgende dag'),
    t('{value} is read as the next day, {hint}.', '{value} is gelezen als de volgende dag, {hint}.'),
    t('Correct it if the same day is meant.', 'Verbeter het als dezelfde dag bedoeld is.'),
  ),
  'time-other-day': warning(
    t('time on another day', 'tijd op andere dag'),
    t(
      '{value} is not on the day of the event, {hint}.',
      '{value} is niet op de dag van het evenement, {hint}.',
    ),
    t('Correct it if the same day is meant.', 'Verbeter het als dezelfde dag bedoeld is.'),
  ),
  'end-before-begin': error(
    t('end before begin', 'einde voor begin'),
    t(
      '{value} can’t be right: {hint}, and the end comes after the begin.',
      '{value} kan niet kloppen: {hint}, en het einde komt na het begin.',
    ),
    ONE_OF_TWO,
  ),
  'text-long': warning(
    t('text too long', 'tekst te lang'),
    t('{value} is long: {hint}.', '{value} is lang: {hint}.'),
    t(
      'To be safe, shorten it: the service may cut it off.',
      'Maak de tekst liever korter: het systeem kan hem afkappen.',
    ),
  ),
  'text-characters': warning(
    t('text with hidden characters', 'tekst met onzichtbare tekens'),
    t(
      '{value} is read without its hidden characters.',
      '{value} is gelezen zonder de onzichtbare tekens erin.',
    ),
    t('To be safe, type the text again.', 'Typ de tekst liever opnieuw.'),
  ),
  'null-word': error(
    t('word for nothing', 'woord voor niets'),
    t(
      '{value} is how a program writes that it holds nothing.',
      '{value} is hoe een programma schrijft dat er niets staat.',
    ),
    t('Leave the cell empty.', 'Laat de cel leeg.'),
  ),
  'error-cell': error(
    t('error in the cell', 'fout in de cel'),
    t('The cell shows the error {value}.', 'De cel toont de fout {value}.'),
    NEW_VALUE,
  ),
  'formula-without-result': error(
    t('formula without a result', 'formule zonder uitkomst'),
    t(
      'The cell holds a formula without a stored result.',
      'De cel bevat een formule zonder bewaarde uitkomst.',
    ),
    t(
      'Open the file in a spreadsheet program and save it.',
      'Open het bestand in een spreadsheetprogramma en sla het op.',
    ),
  ),
  'formula-circular': error(
    t('formula refers to itself', 'formule verwijst naar zichzelf'),
    t(
      'The cell holds a formula that refers to itself.',
      'De cel bevat een formule die naar zichzelf verwijst.',
    ),
    NEW_VALUE,
  ),
  'required-missing': error(
    t('required and empty', 'verplicht en leeg'),
    t('This field is required.', 'Dit veld is verplicht.'),
    t('Fill it in.', 'Vul het in.'),
  ),
  'column-missing': error(
    t('column is missing', 'kolom ontbreekt'),
    t('This field is required and has no column.', 'Dit veld is verplicht en heeft geen kolom.'),
    t('Add the column.', 'Voeg de kolom toe.'),
  ),
  'cell-beyond-header': error(
    t('value without a header', 'waarde zonder kop'),
    t('{value} stands in a column without a header.', '{value} staat in een kolom zonder kop.'),
    t('Give the column a header, or clear the cell.', 'Geef de kolom een kop, of maak de cel leeg.'),
  ),
  'quotes-literal': warning(
    t('stray quote', 'los aanhalingsteken'),
    t(
      '{value} has a stray quote, which is read as it stands.',
      '{value} heeft een los aanhalingsteken, en dat is gelezen zoals het er staat.',
    ),
    t(
      'To be safe, write a quote inside a text twice.',
      'Schrijf een aanhalingsteken in een tekst liever dubbel.',
    ),
  ),
  'quotes-over-rows': warning(
    t('quotes over rows', 'aanhalingstekens over rijen'),
    t(
      '{value} is read as one text, though it looks like rows.',
      '{value} is gelezen als één tekst, al lijkt het op rijen.',
    ),
    t('If they are rows, take the quote out.', 'Zijn het rijen, haal het aanhalingsteken dan weg.'),
  ),
  'quotes-around-row': warning(
    t('whole row between quotes', 'hele rij tussen aanhalingstekens'),
    t(
      '{value} is read without the quotes around the whole row.',
      '{value} is gelezen zonder de aanhalingstekens om de hele rij.',
    ),
    t('To be safe, put quotes around each text by itself.', 'Zet ze liever om elke tekst apart.'),
  ),
  'quotes-broken': error(
    t('quotes are wrong', 'aanhalingstekens kloppen niet'),
    t(
      'The quotes in {value} do not pair up: {hint}.',
      'De aanhalingstekens in {value} kloppen niet: {hint}.',
    ),
    t(
      'Take the stray quote out, or write it twice.',
      'Haal het losse aanhalingsteken weg, of schrijf het dubbel.',
    ),
  ),
  'second-header': error(
    t('second header', 'tweede kopregel'),
    t(
      '{value} stands below the headers of another table, in row {hint}.',
      '{value} staat onder de koppen van een andere tabel, in rij {hint}.',
    ),
    t('Put that table on a sheet of its own.', 'Zet die tabel op een eigen werkblad.'),
  ),
  'cannot-clear': error(
    t('cannot be empty', 'kan niet leeg'),
    t(
      '{value} can’t empty this field: it must hold a value.',
      '{value} kan dit veld niet leegmaken: er moet iets in staan.',
    ),
    t('Write a value, or leave the cell empty.', 'Schrijf een waarde, of laat de cel leeg.'),
  ),
  'action-unknown': error(
    t('unknown action', 'onbekende actie'),
    t('{value} is not an action.', '{value} is geen actie.'),
    t(
      'Write create, update, delete or skip, or leave it empty.',
      'Schrijf create, update, delete of skip, of laat de cel leeg.',
    ),
  ),
  'delete-not-allowed': error(
    t('deleting not allowed', 'verwijderen niet toegestaan'),
    t(
      'The row asks for a delete, which is not allowed yet.',
      'De rij vraagt om verwijderen, en dat mag nog niet.',
    ),
    t('Allow deleting, and import the file again.', 'Sta verwijderen toe, en importeer het bestand opnieuw.'),
  ),
  'action-not-possible': error(
    t('action not possible', 'actie kan niet'),
    t('The action {value} is not possible here.', 'De actie {value} kan hier niet.'),
    t('Leave #action empty.', 'Laat #action leeg.'),
  ),
  'key-missing': error(
    t('key is missing', 'sleutel ontbreekt'),
    NO_KEY,
    t('Fill in {hint}.', 'Vul in: {hint}.'),
  ),
  'key-not-given': error(
    t('new, without a key', 'nieuw, zonder sleutel'),
    NO_KEY,
    t('To create it as new, put create in #action.', 'Zet create in #action om het als nieuw aan te maken.'),
  ),
  'keys-differ': error(
    t('keys differ', 'sleutels verschillen'),
    t(
      '{value} and the other key belong to different records.',
      '{value} en de andere sleutel horen bij verschillende records.',
    ),
    ONE_OF_TWO,
  ),
  'parent-not-sent': error(
    t('belongs to what is not sent', 'hoort bij iets wat niet wordt verstuurd'),
    t(
      '{value} is made by {hint}, which is not sent.',
      '{value} wordt gemaakt door {hint}, en die wordt niet verstuurd.',
    ),
    t('Correct that row first.', 'Verbeter eerst die rij.'),
  ),
  'reference-ambiguous': error(
    t('reference unclear', 'verwijzing niet eenduidig'),
    t(
      '{value} is the number of several records: {hint}.',
      '{value} is het nummer van meerdere records: {hint}.',
    ),
    t('Name the one you mean by its id.', 'Noem het bedoelde met zijn id.'),
  ),
  'text-cut': warning(
    t('text cut off', 'tekst afgekapt'),
    t(
      'The service keeps only the first {hint} characters of {value}.',
      'Het systeem bewaart alleen de eerste {hint} tekens van {value}.',
    ),
    t('To be safe, shorten the text.', 'Maak de tekst liever korter.'),
  ),
  'not-kept': warning(
    t('not kept', 'niet bewaard'),
    t('The service keeps nothing of {value} in {hint}.', 'Het systeem bewaart niets van {value} in {hint}.'),
    t('Check in the service what the field takes.', 'Kijk in het systeem wat het veld aanneemt.'),
  ),
  'create-only': warning(
    t('only when created', 'alleen bij aanmaken'),
    t(
      '{value} is not sent: only a new record takes it, and this one keeps {hint}.',
      '{value} wordt niet verstuurd: alleen een nieuw record neemt het aan, en dit houdt {hint}.',
    ),
    ELSEWHERE,
  ),
  'record-twice': warning(
    t('record stands there twice', 'record staat er twee keer in'),
    t('{hint} both use {record}.', '{hint} gebruiken allebei {record}.'),
    t('To be safe, make it one row.', 'Maak er liever één rij van.'),
  ),
  'created-twice': error(
    t('two rows about one record', 'twee rijen over één record'),
    t('{hint} both use {record}.', '{hint} gebruiken allebei {record}.'),
    t('Delete one of the two, or correct its key.', 'Verwijder een van de twee, of verbeter de sleutel.'),
  ),
  'value-twice': error(
    t('two values for one field', 'twee waarden voor één veld'),
    t('{hint}, of the same record.', '{hint}, over hetzelfde record.'),
    ONE_OF_TWO,
  ),
  'linked-twice': error(
    t('linked twice', 'twee keer gekoppeld'),
    t(
      '{value} is linked {hint} times, and a change would hit them all.',
      '{value} is {hint} keer gekoppeld, en een wijziging zou ze allemaal raken.',
    ),
    ELSEWHERE,
  ),
  'changed-by-both': error(
    t('changed by both', 'door beide gewijzigd'),
    t(
      'You write {value}, and someone else changed it too: it {hint}.',
      'Jij schrijft {value}, en iemand anders wijzigde het ook: het {hint}.',
    ),
    t('Choose which of the two stays.', 'Kies welke van de twee blijft.'),
  ),
  'changed-meanwhile': error(
    t('changed meanwhile', 'intussen gewijzigd'),
    t(
      '{value} is not sent, as someone else changed it: in the plan it {hint}.',
      '{value} is niet verstuurd, want iemand anders wijzigde het: het {hint}.',
    ),
    t('Import the file again to decide.', 'Importeer het bestand opnieuw om te beslissen.'),
  ),
  'cell-not-sent': warning(
    t('not sent', 'niet verstuurd'),
    t(
      '{value} is not sent: this column is only to look at.',
      '{value} wordt niet verstuurd: deze kolom is alleen om te bekijken.',
    ),
    ELSEWHERE,
  ),
  'record-missing': error(
    t('record not found', 'record niet gevonden'),
    t('The service has no {value} in {hint}.', 'Het systeem heeft geen {value} in {hint}.'),
    t('Correct it, or delete the row.', 'Verbeter het, of verwijder de rij.'),
  ),
  'record-deleted': error(
    t('record deleted', 'record verwijderd'),
    t('The service no longer has {value}.', 'Het systeem heeft {value} niet meer.'),
    t('Delete the row.', 'Verwijder de rij.'),
  ),
  'total-or-record': error(
    t('total or record', 'totaal of record'),
    t('{value} looks like a total.', '{value} lijkt een totaal.'),
    t(
      'Put skip in #action if it is one; else put create or update there.',
      'Zet skip in #action als het er een is; anders create of update.',
    ),
  ),
  'key-twice': error(
    t('key used twice', 'sleutel dubbel'),
    t('{hint} both use #key {value}.', '{hint} gebruiken allebei #key {value}.'),
    t('Give each row a #key of its own.', 'Geef elke rij een eigen #key.'),
  ),
  'amount-missing': error(
    t('amount is missing', 'aantal ontbreekt'),
    t('The row has no amount.', 'De rij heeft geen aantal.'),
    t('Fill in {hint}.', 'Vul {hint} in.'),
  ),
  'amount-twice': error(
    t('two amounts', 'twee aantallen'),
    t('The row has two amounts: {hint}.', 'De rij heeft twee aantallen: {hint}.'),
    t('Leave one of the two empty.', 'Laat een van de twee leeg.'),
  ),
  'amount-not-countable': error(
    t('amount that can’t be counted', 'aantal niet te tellen'),
    t('Nobody can have counted {value}.', 'Niemand kan {value} hebben geteld.'),
    t('Write 0 or more, like 12.', 'Schrijf 0 of meer, zoals 12.'),
  ),
  'counted-twice': error(
    t('counted twice', 'twee keer geteld'),
    t('{hint} both count {value}.', '{hint} tellen allebei {value}.'),
    t(
      'Give each row a place of its own in #plaats (24 at most), with one unit and one DatumTijd, or add them up in one row.',
      'Geef elke rij een eigen plaats in #plaats (hooguit 24), met één eenheid en één DatumTijd, of tel ze op in één rij.',
    ),
  ),
  'counted-ahead': error(
    t('count in the future', 'telling in de toekomst'),
    t('{value} is still to come: it is {hint} now.', '{value} moet nog komen: het is nu {hint}.'),
    t('Correct the date.', 'Verbeter de datum.'),
  ),
  'header-twice': error(
    t('header used twice', 'kop dubbel'),
    t(
      'Columns {hint} are for the same field but say different things: {value}.',
      'De kolommen {hint} zijn voor hetzelfde veld, maar zeggen niet hetzelfde: {value}.',
    ),
    withFlag(
      t('Choose one of them, or rename the others.', 'Kies er een, of hernoem de andere.'),
      '--map "HEADER (D)=FIELD"',
    ),
  ),
  'lookup-unknown': error(
    t('unknown name', 'naam onbekend'),
    t('The service knows no {value} here.', 'Het systeem kent hier geen {value}.'),
    t('Write a name that it knows, or an id.', 'Schrijf een naam die het kent, of een id.'),
  ),
  'lookup-id-unknown': warning(
    t('id not in the list', 'id niet in de lijst'),
    t(
      '{value} is sent, though it is not in the service’s list.',
      '{value} wordt verstuurd, al staat het niet in de lijst van het systeem.',
    ),
    t('Check the id.', 'Kijk het id na.'),
  ),
  'id-without-record': error(
    t('id without a record', 'id zonder record'),
    t('The service has no {hint} with id {value}.', 'Het systeem heeft geen {hint} met id {value}.'),
    t('Correct the id.', 'Verbeter het id.'),
  ),
  'record-of-another': warning(
    t('belongs to another', 'hoort bij een ander'),
    t('{value} is not the name that goes with it.', '{value} is niet de naam die erbij hoort.'),
    t('{hint}: correct one of the two.', '{hint}: verbeter een van de twee.'),
  ),
  'lookup-ambiguous': error(
    t('name of several', 'naam niet eenduidig'),
    t('More than one is called {value}.', 'Er is er meer dan één die {value} heet.'),
    t('Write one of these: {hint}.', 'Schrijf een van deze: {hint}.'),
  ),
  'lookup-unreadable': error(
    t('list can’t be read', 'lijst niet te lezen'),
    t('{value} can’t be looked up: {hint}.', '{value} is niet op te zoeken: {hint}.'),
    t('Write the id.', 'Schrijf het id.'),
  ),
  'file-outside': error(
    t('file outside the folder', 'bestand buiten de map'),
    t('{value} is not in the folder {hint}.', '{value} staat niet in de map {hint}.'),
    t('Write the path as seen from that folder.', 'Schrijf het pad zoals het vanuit die map is.'),
  ),
  'file-missing': error(
    t('file is missing', 'bestand ontbreekt'),
    t('There is no file {value} that can be read.', 'Er is geen bestand {value} dat te lezen is.'),
    t('Check the path.', 'Kijk het pad na.'),
  ),
  'name-unsafe': error(
    t('file name not possible', 'bestandsnaam kan niet'),
    t('{value} can’t stand in the name of a file.', '{value} kan niet in de naam van een bestand staan.'),
    t('Correct it.', 'Verbeter het.'),
  ),
  'folder-unsafe': error(
    t('folder not possible', 'map kan niet'),
    t('{value} can’t be a folder of the event.', '{value} kan geen map bij het evenement zijn.'),
    t(
      'Write it like Offertes, without .. or a / or C: before it.',
      'Schrijf het zoals Offertes, zonder .. en zonder / of C: ervoor.',
    ),
  ),
  'service-refused': error(
    t('refused by the service', 'geweigerd door het systeem'),
    t('The service refuses this: {hint}.', 'Het systeem weigert dit: {hint}.'),
    t('Correct it, and import the file again.', 'Verbeter het, en importeer het bestand opnieuw.'),
  ),
} as const satisfies Record<string, IssueEntry>;

/** The stable code of an issue. */
export type IssueCode = keyof typeof ISSUES;
