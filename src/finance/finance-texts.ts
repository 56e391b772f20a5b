import type { BigNumber } from 'bignumber.js';
import { type Bilingual, type Language, t } from '../core/language.ts';
import { shownPeriod } from '../core/shown-moment.ts';
import { amountText } from './amount-text.ts';
import type { FinanceScope } from './export-snapshot.ts';
import type { FinanceReport } from './finance-report.ts';
import { cellsText } from './odd-cells.ts';

/** The words on the pages. */
export const FINANCE_WORDS = {
  title: t('Revenue', 'Omzet'),
  made: t('made on', 'gemaakt op'),
  result: t('From records to revenue', 'Van records naar omzet'),
  count: t('Number', 'Aantal'),
  amount: t('Amount', 'Bedrag'),
  lines: t('Arrangements', 'Arrangementen'),
  trips: t('Trips in the period', 'Ritten in de periode'),
  elsewhere: t('Less: trips of other events', 'Af: ritten van andere evenementen'),
  excluded: t('Less: events without revenue', 'Af: evenementen zonder omzet'),
  revenueOf: t('Revenue of the events', 'Omzet van de evenementen'),
  tripCosts: t('Cost of the trips', 'Kosten van de ritten'),
  over: t('Revenue by month', 'Omzet per maand'),
  matrix: t('Revenue by month and location', 'Omzet per maand en locatie'),
  largest: {
    en: (count: number) => `the ${count} largest`,
    nl: (count: number) => `de ${count} grootste`,
  },
  by: { en: (what: string) => `Revenue by ${what}`, nl: (what: string) => `Omzet per ${what}` },
  month: t('Month', 'Maand'),
  number: t('No.', 'Nr.'),
  events: t('Events', 'Evenementen'),
  revenue: t('Revenue', 'Omzet'),
  share: t('Share', 'Aandeel'),
  total: t('Total', 'Totaal'),
  counted: t('How it was counted', 'Hoe er is geteld'),
} as const;

/** The days of an export, and which events. */
export function periodText({ from, to, all }: FinanceScope, language: Language): string {
  const days = shownPeriod(from, to);
  if (language === 'en') return `${days.en} · ${all ? 'all events' : 'definitive events'}`;
  return `${days.nl} · ${all ? 'alle evenementen' : 'definitieve evenementen'}`;
}

/** How the totals were counted, and what was not; the first three texts are the same for every export. */
export function countedTexts(report: FinanceReport): Bilingual[] {
  return [
    ...scopeTexts(report),
    ...lackingTexts(report),
    ...leftOutTexts(report),
    ...report.notes.map(({ en, nl }) => t(`${capital(en)}.`, `${capital(nl)}.`)),
  ];
}

const some = (count: number, en: string, nl: string): Bilingual[] => (count === 0 ? [] : [t(en, nl)]);

function scopeTexts({ definition, scope }: FinanceReport): Bilingual[] {
  const { lines, trips } = definition;
  return [
    t(
      `Revenue of an event: its arrangements (${lines.quantity} × ${lines.price}) and its trips of the period (${trips.price}). The interface gives no amount of an event itself.`,
      `Omzet van een evenement: de arrangementen ervan (${lines.quantity} × ${lines.price}) en de ritten ervan in de periode (${trips.price}). De interface geeft geen bedrag van een evenement zelf.`,
    ),
    t(
      'Amounts are as the service gives them, added up in decimals and not rounded; the interface does not say whether VAT is included.',
      'Bedragen zijn zoals het systeem ze geeft, decimaal opgeteld en niet afgerond; de interface zegt niet of er btw in zit.',
    ),
    scope.all
      ? t(
          'All events of the period, whatever their status.',
          'Alle evenementen van de periode, wat hun status ook is.',
        )
      : t('Only the definitive events of the period.', 'Alleen de definitieve evenementen van de periode.'),
  ];
}

/** Values that are missing or could not be counted. */
function lackingTexts({ definition, figures, odd, feeds }: FinanceReport): Bilingual[] {
  const { lines, trips } = definition;
  const lineCells = cellsText(odd.of('lines', 'amount', 'no-amount'), feeds);
  const tripCells = cellsText(odd.of('trips', 'amount'), feeds);
  const { price, cost, distance } = figures.trips;
  const missing = [
    [price.lacking, trips.price],
    [cost.lacking, trips.cost],
    [distance.lacking, trips.distance],
  ] as const;
  const without = (word: string): string =>
    missing.flatMap(([count, name]) => (count === 0 ? [] : `${count} ${word} ${name}`)).join(', ');
  return [
    ...some(
      figures.lines.lacking,
      `Not counted, as ${lines.quantity} or ${lines.price} is missing, is no number or is too large for a cell: ${figures.lines.lacking} of ${figures.lines.count} arrangements (${lineCells.en}).`,
      `Niet meegeteld, omdat ${lines.quantity} of ${lines.price} ontbreekt, geen getal is of te groot voor een cel: ${figures.lines.lacking} van ${figures.lines.count} arrangementen (${lineCells.nl}).`,
    ),
    ...some(
      price.lacking + cost.lacking + distance.lacking,
      `Trips without a value (of ${price.count}): ${without('without')}${namedCells(tripCells.en)}.`,
      `Ritten zonder waarde (van ${price.count}): ${without('zonder')}${namedCells(tripCells.nl)}.`,
    ),
  ];
}

/** What counts for 0, what was left out, and what counts in spite of a mark. */
function leftOutTexts({ definition, figures, elsewhere }: FinanceReport): Bilingual[] {
  const { events } = definition;
  const both = (amount: BigNumber): Bilingual => t(amountText(amount, 'en'), amountText(amount, 'nl'));
  const [other, without] = [both(elsewhere.amount), both(figures.noRevenue.amount)];
  return [
    ...some(
      elsewhere.count,
      `Trips of the period for no event in this workbook, not in the revenue: ${elsewhere.count}, together ${other.en}.`,
      `Ritten in de periode die niet bij een evenement in deze werkmap horen, niet in de omzet: ${elsewhere.count}, samen ${other.nl}.`,
    ),
    ...some(
      figures.noRevenue.count,
      `Events marked ${events.noRevenue}, which count for 0: ${figures.noRevenue.count}, with arrangements and trips of ${without.en}.`,
      `Evenementen met ${events.noRevenue}, die voor 0 meetellen: ${figures.noRevenue.count}, met arrangementen en ritten van ${without.nl}.`,
    ),
    ...some(
      figures.events.notInvoiced,
      `Events marked ${events.notInvoiced}, which count as revenue: ${figures.events.notInvoiced}.`,
      `Evenementen met ${events.notInvoiced}, die als omzet meetellen: ${figures.events.notInvoiced}.`,
    ),
    ...some(
      figures.trips.deleted,
      `Deleted trips, left out: ${figures.trips.deleted}.`,
      `Verwijderde ritten, weggelaten: ${figures.trips.deleted}.`,
    ),
    ...some(
      figures.mutations.unknown,
      `Stock mutations whose answer was lost: ${figures.mutations.unknown}; whether the service has them is not known.`,
      `Voorraadmutaties waarvan het antwoord verloren ging: ${figures.mutations.unknown}; of het systeem ze heeft is niet bekend.`,
    ),
  ];
}

const namedCells = (cells: string): string => (cells === '' ? '' : ` (${cells})`);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
