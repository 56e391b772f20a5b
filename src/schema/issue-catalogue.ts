import { error, type IssueEntry, t, warning } from './issue-entry.ts';
import { VALUE_ISSUES } from './value-issues.ts';

/** Everything that can be wrong with a cell or a row: one stable code each, with its words in one place. */
export const ISSUES = {
  ...VALUE_ISSUES,
  'choice-expected': error(
    t('one of the allowed values', 'een van de toegestane waarden'),
    t('use {hint}', 'gebruik {hint}'),
  ),
  'error-cell': error(
    t('a value', 'een waarde'),
    t('enter a value, or correct the formula', 'geef een waarde, of verbeter de formule'),
  ),
  'formula-without-result': {
    ...error(
      t('a value', 'een waarde'),
      t(
        'open and save the file in a spreadsheet program, so that the result is stored',
        'open en bewaar het bestand in een rekenprogramma, zodat de uitkomst erin staat',
      ),
    ),
    found: t('a formula without a stored result', 'een formule zonder bewaarde uitkomst'),
  },
  'required-missing': error(t('a value', 'een waarde'), t('{hint}', '{hint}')),
  'column-missing': error(t('a column for this field', 'een kolom voor dit veld'), t('{hint}', '{hint}')),
  'cell-beyond-header': error(
    t('no value beyond the last header', 'geen waarde voorbij de laatste kop'),
    t(
      'the row has a value too many, so that others may stand in the wrong column: put a value that holds the separator between quotes; {hint}',
      'de rij heeft een waarde te veel, waardoor andere in de verkeerde kolom kunnen staan: zet een waarde met het scheidingsteken erin tussen aanhalingstekens; {hint}',
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
    t('a value; this field cannot be cleared', 'een waarde; dit veld kan niet leeg'),
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
    t('leave to delete', 'toestemming om te verwijderen'),
    t('run again with --allow-delete', 'draai opnieuw met --allow-delete'),
  ),
  'action-not-possible': error(
    t('an action that this kind of row has', 'een actie die dit soort rij kent'),
    t('{hint}', '{hint}'),
  ),
  'key-missing': error(
    t('a key that says which record this is', 'een sleutel die zegt welk record dit is'),
    t('fill in {hint}', 'vul {hint} in'),
  ),
  'keys-differ': error(
    t('keys of one and the same record', 'sleutels van één en hetzelfde record'),
    t('{hint}', '{hint}'),
  ),
  'parent-not-sent': error(
    t('a record that is there or can be sent', 'een record dat er is of verstuurd kan worden'),
    t('correct {hint} first', 'verbeter eerst {hint}'),
  ),
  'reference-ambiguous': error(
    t('an ExternalID of one record', 'een ExternalID van één record'),
    t('{hint} have it; name the one you mean by its id', '{hint} hebben het; noem het bedoelde met zijn id'),
  ),
  'day-missing': error(
    t('the day by which the record is looked up', 'de dag waarop het record wordt opgezocht'),
    t('fill in {hint}', 'vul {hint} in'),
  ),
  'create-only': warning(
    t('the value that the record has', 'de waarde die het record heeft'),
    t(
      'only a create takes this field; the record keeps {hint}',
      'dit veld kan alleen bij het aanmaken mee; het record houdt {hint}',
    ),
  ),
  'record-twice': warning(
    t('one row for each record', 'één rij voor elk record'),
    t(
      'row {hint} is about the same record; what they say is sent in the order of the file',
      'rij {hint} gaat over hetzelfde record; wat ze zeggen wordt verstuurd in de volgorde van het bestand',
    ),
  ),
  'record-copied': error(t('one row for each record', 'één rij voor elk record'), t('{hint}', '{hint}')),
  'changed-by-both': error(
    t(
      'the only change of this field since the file was written',
      'de enige wijziging van dit veld sinds het bestand geschreven is',
    ),
    t(
      'it {hint}; --on-conflict mine sends yours, theirs leaves it',
      'het {hint}; --on-conflict mine verstuurt de uwe, theirs laat het zo',
    ),
  ),
  'changed-since-plan': error(
    t(
      'a field that nobody else changed since an earlier plan of this row',
      'een veld dat sinds een eerder plan van deze rij door niemand anders gewijzigd is',
    ),
    t(
      'it {hint}; --on-conflict mine sends yours, theirs leaves it',
      'het {hint}; --on-conflict mine verstuurt de uwe, theirs laat het zo',
    ),
  ),
  'changed-meanwhile': error(
    t(
      'a field that nobody else changed since the plan was made',
      'een veld dat sinds het plan gemaakt is door niemand anders gewijzigd is',
    ),
    t('in the plan it was {hint} on the service', 'in het plan was het {hint} op de dienst'),
  ),
  'record-missing': error(
    t('a record the service has', 'een record dat de dienst heeft'),
    t('there is no such record in {hint}', 'er is geen zo’n record in {hint}'),
  ),
  'record-deleted': error(
    t('a record the service still has', 'een record dat de dienst nog heeft'),
    t('{hint}', '{hint}'),
  ),
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
    t('{hint}', '{hint}'),
  ),
  'counted-twice': error(
    t('one count for each product', 'één telling per product'),
    t('{hint} counts the same product', '{hint} telt hetzelfde product'),
  ),
  'header-twice': error(
    t('one column for this field, or the same in both', 'één kolom voor dit veld, of in beide hetzelfde'),
    t('rename or delete one of the columns {hint}', 'hernoem of verwijder een van de kolommen {hint}'),
  ),
  'lookup-unknown': error(t('an id or a known name', 'een id of een bekende naam'), t('{hint}', '{hint}')),
  'lookup-id-unknown': warning(
    t('an id that the service’s list has', 'een id dat in de lijst van de dienst staat'),
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
  'file-missing': error(t('a file that can be read', 'een bestand dat te lezen is'), t('{hint}', '{hint}')),
  'name-unsafe': error(
    t('what can stand in the name of a file', 'wat in de naam van een bestand kan staan'),
    t('{hint}', '{hint}'),
  ),
  'folder-unsafe': error(
    t('a folder of the event, such as Offertes', 'een map bij het evenement, zoals Offertes'),
    t('without .. and without / or C: before it', 'zonder .. en zonder / of C: ervoor'),
  ),
  'service-refused': error(
    t('a value the service accepts', 'een waarde die de dienst aanneemt'),
    t('the service says: {hint}', 'de dienst zegt: {hint}'),
  ),
} as const satisfies Record<string, IssueEntry>;

/** The stable code of an issue. */
export type IssueCode = keyof typeof ISSUES;
