import { EXIT, StopError } from '../../errors.ts';
import type { Bilingual, Locale } from '../../schema/value.ts';
import { ordersIn } from '../map/date-order.ts';
import type { ExportedResource } from './lists/exporter.ts';
import { exporterOf } from './lists/exporters.ts';
import type { Selection, Way } from './selection.ts';
import { momentOf, periodOf } from './wished-moments.ts';

/** What the user chose, as texts; see `Selection`. */
export interface SelectionWishes {
  /** A moment, or `last`. */
  readonly since?: string | undefined;
  /** The first and the last day. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly definitive?: boolean | undefined;
  /** A workbook or CSV that names products. */
  readonly file?: string | undefined;
  /** With the ingredient declaration. */
  readonly declaration?: boolean | undefined;
}

const LAST = 'last';

/** A selection, and how its dates were read where that could have been otherwise. */
interface WishedSelection {
  readonly selection: Selection;
  readonly notes: readonly Bilingual[];
}

/** What an export of a resource is to hold, by what the user chose. Throws StopError with EXIT.usage where it has no such choice. */
export function selectionOf(
  resource: ExportedResource,
  wishes: SelectionWishes,
  locale: Locale,
): WishedSelection {
  if (wishes.declaration === true && resource.kind !== 'catalogue') throw takesNo(resource, '--declaration');
  const { selection, notes } = wished(wishes, locale);
  const { ways } = exporterOf(resource);
  const way = selection.way === 'last' ? 'since' : selection.way;
  if (ways.includes(way)) return { selection, notes };
  throw way === 'all' ? needsToKnow(resource, ways) : takesNo(resource, FLAGS[way]);
}

function needsToKnow({ sheet }: ExportedResource, ways: readonly Way[]): StopError {
  const flags = ways.map((way) => FLAGS[way]);
  return stop(
    {
      en: `An export of ${sheet} needs to know which.`,
      nl: `Een export van ${sheet} moet weten welke.`,
    },
    { en: `Use ${flags.join(', or ')}.`, nl: `Gebruik ${flags.join(', of ')}.` },
  );
}

function takesNo({ sheet }: ExportedResource, flag: string): StopError {
  const next = { en: 'Leave it out; --help says what there is.', nl: 'Laat het weg; --help zegt wat er is.' };
  return stop(
    { en: `An export of ${sheet} takes no ${flag}.`, nl: `Een export van ${sheet} kent geen ${flag}.` },
    next,
  );
}

const FLAGS: Readonly<Record<Way, string>> = {
  ...{ all: '', since: '--since', period: '--from D --to D', definitive: '--definitive', file: '--file' },
};

function wished({ since, from, to, definitive, file }: SelectionWishes, locale: Locale): WishedSelection {
  const period = periodOf(from, to, locale);
  const given = [since !== undefined, file !== undefined, period !== null || definitive === true];
  if (given.filter(Boolean).length > 1) throw stop(ONE_WAY, ONE_WAY_NEXT);
  const { days = null, notes = [] } = period ?? {};
  if (file !== undefined) return { selection: { way: 'file', file }, notes };
  if (definitive === true) return { selection: { way: 'definitive', days }, notes };
  if (days !== null) return { selection: { way: 'period', days }, notes };
  if (since === undefined) return { selection: { way: 'all' }, notes };
  if (since === LAST) return { selection: { way: 'last' }, notes };
  const { moment, note } = momentOf('since', since, { locale, orders: ordersIn([since]) });
  return { selection: { way: 'since', moment }, notes: note };
}

const stop = (message: Bilingual, next: Bilingual): StopError => new StopError(EXIT.usage, message, { next });

const ONE_WAY: Bilingual = {
  en: '--since, --file and --from with --to don’t go together.',
  nl: '--since, --file en --from met --to gaan niet samen.',
};
const ONE_WAY_NEXT: Bilingual = { en: 'Leave all but one of them out.', nl: 'Laat er één staan.' };
