import type { Bilingual } from '../../../schema/value.ts';

const t = (en: string, nl: string): Bilingual => ({ en, nl });

/** What stands on the manifest. */
export const MANIFEST_WORDS = {
  service: t('Service', 'Dienst'),
  period: t('Period', 'Periode'),
  made: t('Made on', 'Gemaakt op'),
  hash: t('Fingerprint (SHA-256)', 'Vingerafdruk (SHA-256)'),
  hashMeans: t(
    'Made of what the service said of every record (the numbers of locations and customers, not the names looked up for them) and of what each comes to. The same records give the same fingerprint, whatever the language of the workbook and the order of its rows; the next export of this period on this computer compares with it. It is no checksum of this file: it does not change with it, and cannot be worked out from its cells. Sums that are no longer as made show below.',
    'Gemaakt van wat de dienst over elk record zei (de nummers van locaties en relaties, niet de namen die erbij zijn gezocht) en van wat elk record bedraagt. Dezelfde records geven dezelfde vingerafdruk, in welke taal de werkmap ook is en hoe de rijen ook staan; de volgende export van deze periode op deze computer vergelijkt ermee. Het is geen controlegetal van dit bestand: het verandert er niet mee en is niet uit de cellen te berekenen. Sommen die niet meer zijn als bij het maken, staan hieronder.',
  ),
  contents: t('What this workbook holds', 'Wat er in deze werkmap staat'),
  sheet: t('Sheet', 'Werkblad'),
  what: t('What', 'Wat'),
  rows: t('Rows', 'Rijen'),
  written: t('As made', 'Bij het maken'),
  now: t('Now', 'Nu'),
  difference: t('Difference', 'Verschil'),
  lineTotals: t('Line totals', 'Regeltotalen'),
  prices: t('Prices', 'Prijzen'),
  costs: t('Costs', 'Kosten'),
  distance: t('Kilometres', 'Kilometers'),
  changes: t(
    'Since the last finance export of this period',
    'Sinds de vorige financiële export van deze periode',
  ),
  first: t(
    'No earlier finance export of this period from this service is known on this computer.',
    'Op deze computer is geen eerdere financiële export van deze periode van deze dienst bekend.',
  ),
  since: t('Last export', 'Vorige export'),
  added: t('added', 'erbij'),
  removed: t('removed', 'weg'),
  changed: t('changed', 'gewijzigd'),
  was: t('Then', 'Toen'),
  is: t('Now', 'Nu'),
  record: t('Number', 'Nummer'),
  columns: t('Columns', 'Kolommen'),
  more: { en: (count: number) => `And ${count} more.`, nl: (count: number) => `En nog ${count}.` },
  sums: {
    revenue: t('Revenue', 'Omzet'),
    arrangements: t('Arrangements', 'Arrangementen'),
    tripPrices: t('Trips: prices', 'Ritten: prijzen'),
    tripCosts: t('Trips: costs', 'Ritten: kosten'),
    distance: t('Trips: kilometres', 'Ritten: kilometers'),
  },
} as const;
