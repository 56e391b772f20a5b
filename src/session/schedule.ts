import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { type Bilingual, t } from '../core/language.ts';
import { checkWords, shapeWords } from '../core/shape-words.ts';
import { EXPORT_FORMATS } from '../export/export-target.ts';
import { comparablePath } from '../files/file-name.ts';
import { isExported, listerOf } from '../kinds/kinds.ts';
import { ON_CONFLICT } from '../records/three-way.ts';
import { resources } from '../resources/registry.ts';
import { cronProblem } from './cron-text.ts';
import { isRelativeDay } from './relative-day.ts';

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,63}$/u;
const FINANCE = 'finance';
const EXPORTS = [
  ...resources.filter(isExported).map((one) => listerOf(one).called ?? one.name),
  FINANCE,
] as const;

const path = z.string().refine((text) => text.trim() !== '', checkWords(t('no folder', 'geen map')));

const cron = z.string().superRefine((text, context) => {
  const words = cronProblem(text);
  if (words !== undefined) context.addIssue({ code: 'custom', ...checkWords(words) });
});

const zone = z
  .string()
  .refine(
    isZone,
    checkWords(
      t(
        'no time zone; write it as in Europe/Amsterdam',
        'geen tijdzone; schrijf het zoals in Europe/Amsterdam',
      ),
    ),
  );

function isZone(text: string): boolean {
  try {
    return text !== '' && new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}

const report = z
  .strictObject({
    /** A folder that gets a page of each. */
    to: path.optional(),
    /** A program with its arguments; behind them come the page and the exit code. */
    command: z.array(z.string()).min(1).readonly().optional(),
    /** How long the program may take, s. */
    timeout: z.number().min(1).max(3600).optional(),
    /** Also where all went well, or only where it did not. */
    when: z.enum(['always', 'trouble']).optional(),
  })
  .refine(
    (given) => given.to !== undefined || given.command !== undefined,
    checkWords(t('name "to", a folder, or "command"', 'noem "to", een map, of "command"')),
  );

const common = { name: z.string(), tz: zone.optional(), report: report.optional() };

const day = z
  .string()
  .refine(
    (text) => isRelativeDay(text) || /^\s*\d{1,4}[-/.]\d/.test(text),
    checkWords(
      t(
        'no day; write it as in -7d, month-1m, month-end-1m or 2026-11-30',
        'geen dag; schrijf hem zoals in -7d, month-1m, month-end-1m of 2026-11-30',
      ),
    ),
  );

const days = z.strictObject({ from: day, to: day });

const exportEntry = z.strictObject({
  ...{ ...common, cron },
  export: z.array(z.enum(EXPORTS)).min(1).readonly(),
  to: path,
  format: z.enum(EXPORT_FORMATS).optional(),
  since: z.string().optional(),
  days: days.optional(),
  ...{ definitive: z.boolean().optional(), declaration: z.boolean().optional(), ids: z.boolean().optional() },
  ...{ raw: z.boolean().optional(), delimiter: z.string().optional(), all: z.boolean().optional() },
});

const checkEntry = z.strictObject({ ...common, cron, check: z.literal(true) });

const inboxEntry = z.strictObject({
  ...{ ...common, cron: cron.optional() },
  inbox: path,
  as: z.enum(resources.map(({ name }) => name)).optional(),
  /** Each of its folders that is called as a kind is an inbox of that kind. */
  byKind: z.boolean().optional(),
  /** Sent, not only planned. */
  send: z.boolean().optional(),
  ...{ allowDelete: z.boolean().optional(), strict: z.boolean().optional() },
  onConflict: z.enum(ON_CONFLICT).optional(),
  locale: z.enum(['nl', 'en']).optional(),
  /** How long a file must stay as it is before it is taken, s. */
  settle: z.number().min(1).max(3600).optional(),
});

/** An export by the clock. */
export type ExportEntry = Readonly<z.infer<typeof exportEntry>>;
/** A check of the service by the clock. */
export type CheckEntry = Readonly<z.infer<typeof checkEntry>>;
/** A folder whose files are imported. */
export type InboxEntry = Readonly<z.infer<typeof inboxEntry>>;
/** What is done by the clock. */
export type ScheduleEntry = ExportEntry | CheckEntry | InboxEntry;
/** Where a report goes. */
export type ReportWish = NonNullable<ScheduleEntry['report']>;

const SHAPES = { export: exportEntry, check: checkEntry, inbox: inboxEntry } as const;
type Kind = keyof typeof SHAPES;

/** What a profile does by the clock; each problem names the entry that it is in. */
export const scheduleSchema = z.array(z.unknown()).transform((entries, context): readonly ScheduleEntry[] => {
  const good: ScheduleEntry[] = [];
  const say = (at: number, words: Bilingual): void =>
    context.addIssue({ code: 'custom', ...checkWords(inEntry(entries[at], at, words)) });
  const places = new Map<ScheduleEntry, number>();
  for (const [at, entry] of entries.entries()) {
    const read = readEntry(entry);
    const words = 'entry' in read ? clash(read.entry, good) : read.words;
    if (words !== undefined) say(at, words);
    else if ('entry' in read) {
      good.push(read.entry);
      places.set(read.entry, at);
    }
  }
  const inboxes = new Set(good.flatMap((one) => ('inbox' in one ? [comparablePath(one.inbox)] : [])));
  for (const entry of good)
    for (const to of ['export' in entry ? entry.to : undefined, entry.report?.to])
      if (to !== undefined && inboxes.has(comparablePath(to))) say(places.get(entry) ?? 0, INTO_INBOX);
  return good;
});

function readEntry(given: unknown): { readonly entry: ScheduleEntry } | { readonly words: Bilingual } {
  const kinds = Object.keys(SHAPES).filter(
    (kind): kind is Kind => typeof given === 'object' && given !== null && Object.hasOwn(given, kind),
  );
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) return { words: ONE_KIND };
  const { data, error } = SHAPES[kind].safeParse(given, { reportInput: true });
  return error === undefined ? { entry: data } : { words: shapeWords(error) };
}

/** What is wrong with an entry that is whole, by itself or beside the ones before it. */
function clash(entry: ScheduleEntry, before: readonly ScheduleEntry[]): Bilingual | undefined {
  if (!NAME.test(entry.name)) return BAD_NAME;
  const called = entry.name.toLowerCase();
  if (before.some(({ name }) => name.toLowerCase() === called)) return SAME_NAME;
  if ('export' in entry && entry.export.length > 1 && entry.export.includes(FINANCE)) return FINANCE_ALONE;
  if (!('inbox' in entry)) return undefined;
  if (entry.as !== undefined && entry.byKind === true) return AS_OR_BY_KIND;
  const inboxes = before.flatMap((one) => ('inbox' in one ? [comparablePath(one.inbox)] : []));
  return inboxes.includes(comparablePath(entry.inbox)) ? SAME_INBOX : undefined;
}

function inEntry(entry: unknown, at: number, { en, nl }: Bilingual): Bilingual {
  const name = (entry as { name?: unknown } | null)?.name;
  const called = typeof name === 'string' ? JSON.stringify(name.slice(0, 60)) : `${at + 1}`;
  return t(`entry ${called}: ${en}`, `onderdeel ${called}: ${nl}`);
}

const ONE_KIND = t(
  'give it one of "export" (kinds, such as ["packages"]), "check" (true) and "inbox" (a folder)',
  'geef het één van "export" (soorten, zoals ["packages"]), "check" (true) en "inbox" (een map)',
);
const BAD_NAME = t(
  'its "name" begins with a letter or digit, and has letters, digits, blanks and . _ - alone, at most 64',
  'de "name" begint met een letter of cijfer, en heeft alleen letters, cijfers, spaties en . _ -, hoogstens 64',
);
const SAME_NAME = t(
  'another entry has that name; give each its own',
  'een ander onderdeel heet al zo; geef elk een eigen naam',
);
const SAME_INBOX = t(
  'another entry has that inbox; give each a folder of its own',
  'een ander onderdeel heeft die inbox al; geef elk een eigen map',
);
const FINANCE_ALONE = t(
  'a finance export is a workbook of its own; give it an entry of its own',
  'een financiële export is een eigen werkmap; geef die een eigen onderdeel',
);
const INTO_INBOX = t(
  'it writes into an inbox, which would take that for a file to import; name another folder in "to"',
  'het schrijft in een inbox, die dat zou importeren; noem een andere map in "to"',
);
const AS_OR_BY_KIND = t(
  '"as" and "byKind" don’t go together; leave one of them out',
  '"as" en "byKind" gaan niet samen; laat er een weg',
);

/** A schedule whose folders and programs count from a folder: that of the file that it stands in. */
export function scheduleFrom(entries: readonly ScheduleEntry[], folder: string): readonly ScheduleEntry[] {
  const from = (named: string): string => resolve(folder, named);
  return entries.map((entry): ScheduleEntry => {
    const { report: wish } = entry;
    const reported =
      wish === undefined
        ? {}
        : {
            report: {
              ...wish,
              ...(wish.to === undefined ? {} : { to: from(wish.to) }),
              ...(wish.command === undefined ? {} : { command: programFrom(wish.command, from) }),
            },
          };
    if ('inbox' in entry) return { ...entry, ...reported, inbox: from(entry.inbox) };
    return 'export' in entry ? { ...entry, ...reported, to: from(entry.to) } : { ...entry, ...reported };
  });
}

/** A program that is named without a folder is looked for where the machine has its programs. */
function programFrom(
  [program = '', ...words]: readonly string[],
  from: (named: string) => string,
): readonly string[] {
  const isPlace = isAbsolute(program) || /[\\/]/.test(program);
  return [isPlace ? from(program) : program, ...words];
}
