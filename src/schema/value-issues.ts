import { error, type IssueEntry, t, warning } from './issue-entry.ts';

/** What can be wrong, or read otherwise than expected, with the value of a cell by its field's type. */
export const VALUE_ISSUES = {
  'number-expected': error(t('a number such as {number}', 'een getal zoals {number}'), t('{hint}', '{hint}')),
  'number-grouping': warning(
    t('a number without a thousands separator', 'een getal zonder scheidingsteken voor duizendtallen'),
    t('read as {hint}', 'gelezen als {hint}'),
  ),
  'number-other-locale': error(
    t('a number such as {number}', 'een getal zoals {number}'),
    t('{hint}', '{hint}'),
  ),
  'number-percent': warning(
    t('a number without a percent sign', 'een getal zonder procentteken'),
    t('read as {hint}', 'gelezen als {hint}'),
  ),
  'number-written-oddly': warning(
    t(
      'a number with its minus in front and no exponent',
      'een getal met zijn minteken voorop en zonder exponent',
    ),
    t('read as {hint}', 'gelezen als {hint}'),
  ),
  'number-scaled': warning(
    t('a number that is shown in full', 'een getal dat voluit te zien is'),
    t('read as {hint}', 'gelezen als {hint}'),
  ),
  'identifier-expected': error(
    t('an id, as text or as a whole number', 'een nummer, als tekst of als geheel getal'),
    t('{hint}', '{hint}'),
  ),
  'integer-expected': error(t('a whole number', 'een geheel getal'), t('{hint}', '{hint}')),
  'integer-too-large': error(
    t('a whole number of at most 15 digits, in full', 'een geheel getal van hoogstens 15 cijfers, voluit'),
    t('enter it without an exponent', 'vul het in zonder exponent'),
  ),
  'integer-rounded': warning(
    t(
      'a whole number of at most 15 digits, as Excel keeps no more',
      'een geheel getal van hoogstens 15 cijfers, meer bewaart Excel er niet',
    ),
    t('read as {hint}', 'gelezen als {hint}'),
  ),
  'integer-written-oddly': warning(
    t('a whole number', 'een geheel getal'),
    t('read as {hint}', 'gelezen als {hint}'),
  ),
  'id-negative': error(
    t('an id, which is never below zero', 'een id, dat nooit onder nul is'),
    t('remove the minus sign', 'haal het minteken weg'),
  ),
  'id-zero': error(
    t('an id, which is 1 or more', 'een id, dat 1 of meer is'),
    t('leave the cell empty, or correct the formula', 'laat de cel leeg, of verbeter de formule'),
  ),
  'boolean-expected': error(t('Ja or Nee', 'Ja of Nee'), t('{hint}', '{hint}')),
  'date-expected': error(
    t('a date such as 31-12-2026 or 2026-12-31 14:30', 'een datum zoals 31-12-2026 of 2026-12-31 14:30'),
    t('{hint}', '{hint}'),
  ),
  'date-two-digit-year': error(
    t('a year of four digits', 'een jaartal van vier cijfers'),
    t('write the year in full', 'schrijf het jaar voluit'),
  ),
  'date-order': warning(
    t('a date that reads one way only', 'een datum die maar op één manier te lezen is'),
    t('read as {hint}', 'gelezen als {hint}'),
  ),
  'date-written-oddly': warning(
    t('a date such as 31-12-2026', 'een datum zoals 31-12-2026'),
    t('read as {hint}', 'gelezen als {hint}'),
  ),
  'date-zone': warning(
    t('a time without a time zone', 'een tijd zonder tijdzone'),
    t('the zone is passed over: read as {hint}', 'de zone telt niet mee: gelezen als {hint}'),
  ),
  'date-with-time': warning(
    t('a day without a time', 'een dag zonder tijd'),
    t('read with its time, as {hint}', 'gelezen met de tijd erbij, als {hint}'),
  ),
  'date-far': warning(
    t('a date within 20 years of now', 'een datum binnen 20 jaar van nu'),
    t('read as {hint}', 'gelezen als {hint}'),
  ),
  'date-weekday': error(
    t('a weekday and a date that go together', 'een weekdag en een datum die bij elkaar horen'),
    t('{hint}', '{hint}'),
  ),
  'time-expected': error(
    t('a time such as 14:30, with or without its day', 'een tijd zoals 14:30, met of zonder dag'),
    t('{hint}', '{hint}'),
  ),
  'time-written-oddly': warning(
    t('a time such as 14:30', 'een tijd zoals 14:30'),
    t('read as {hint}', 'gelezen als {hint}'),
  ),
  'next-day': warning(
    t('a time after the begin', 'een tijd na het begin'),
    t('read as the next day, {hint}', 'gelezen als de volgende dag, {hint}'),
  ),
  'time-other-day': warning(
    t('a time on the day of the event', 'een tijd op de dag van het evenement'),
    t('the event is on {hint}', 'het evenement is op {hint}'),
  ),
  'end-apart': warning(
    t('an end within a day after the begin', 'een einde binnen een dag na het begin'),
    t(
      'it begins on {hint}; with Ja under MeerdaagseEvenement, which is never sent, it may take days',
      'het begint op {hint}; met Ja onder MeerdaagseEvenement, dat nooit wordt verstuurd, mag het dagen duren',
    ),
  ),
  'times-stay': warning(t('times on the new day', 'tijden op de nieuwe dag'), t('{hint}', '{hint}')),
  'text-long': warning(
    t('a shorter text', 'een kortere tekst'),
    t(
      '{hint}; it is sent whole, and the service may cut it off',
      '{hint}; hij wordt heel verstuurd, en de dienst kan hem afkappen',
    ),
  ),
  'text-characters': warning(
    t('text without control characters', 'tekst zonder besturingstekens'),
    t('read without them', 'gelezen zonder die tekens'),
  ),
} as const satisfies Record<string, IssueEntry>;
