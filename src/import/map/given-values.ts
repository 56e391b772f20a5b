import { usageStop } from '../../core/errors.ts';
import { describeIssue } from '../../core/issue.ts';
import { type Bilingual, t, withFlag } from '../../core/language.ts';
import { type IssueGroup, lackedIn } from '../../core/plan-report.ts';
import { kindOf } from '../../kinds/kinds.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { type Context, wallClock } from '../../run/context.ts';
import { type Field, readOnly } from '../../schema/field.ts';
import { type MapOptions, readGiven } from './map-row.ts';
import type { SetValue, SheetMapping } from './sheet-mapping.ts';

/**
 * What rows of a sheet of amounts lack of who, when and why: mostly that has one value for all of them, which `--set`
 * gives.
 */
export function settable(
  { resource, sheet }: Pick<SheetMapping, 'resource' | 'sheet'>,
  groups: readonly IssueGroup[],
): readonly string[] {
  const { fields, keys } = resource;
  if (kindOf(resource).amounts === undefined) return [];
  const lacking = lackedIn(groups, sheet);
  return Object.keys(fields).filter(
    (name) => fields[name]?.create === 'required' && !keys.includes(name) && lacking.includes(name),
  );
}

/** Says which flags give all rows what they lack of that; none where they lack nothing. */
export function setTexts(fields: readonly string[]): readonly Bilingual[] {
  if (fields.length === 0) return [];
  const list = fields.join(', ');
  return [
    withFlag(
      t(
        `to give all rows that lack it one value, fill in ${list}`,
        `om alle rijen waar iets ontbreekt één waarde te geven: vul ${list} in`,
      ),
      fields.map((field) => `--set ${field}=…`).join(' '),
    ),
  ];
}

const TODAY =
  /^(?:(nu|now)|(?:(vandaag|today)|(?:gisteren|yesterday))(?:\s+(?:om\s+|at\s+)?(\d{1,2}[:.]\d\d))?)$/i;
const DAY = 24 * 60 * 60 * 1000;

/** `nu`, `vandaag 8:00` and `yesterday` as a moment; all else as it stands. */
export function asMoment(text: string, { codec }: Field, { time }: Pick<Context, 'time'>): string {
  const [whole, now, today, hour] = TODAY.exec(text.trim()) ?? [];
  if (codec.type !== 'datetime' || whole === undefined) return text;
  if (now !== undefined) return wallClock(time.now()).slice(0, 16);
  const day = wallClock(time.now() - (today === undefined ? DAY : 0)).slice(0, 10);
  return hour === undefined ? day : `${day} ${hour.replace('.', ':').padStart(5, '0')}`;
}

/** What is to be reckoned from what a row holds. */
const RELATIVE = /^\s*[*+/×]|%\s*$/;

/**
 * Checks the values for all rows (`--set`) against each sheet that has their fields, whether or not a cell
 * needs them. Throws StopError with EXIT.usage for one that its field does not take, or that no sheet sends.
 */
export async function checkGiven(
  mappings: readonly SheetMapping[],
  options: MapOptions,
  resolveNames: (row: MappedRow) => Promise<void>,
): Promise<void> {
  const sent = new Set(
    mappings.flatMap(({ resource: { fields } }) =>
      Object.entries(fields).flatMap(([name, field]) => (readOnly(field) ? [] : [name])),
    ),
  );
  for (const mapping of mappings) {
    const all = [...mapping.set, ...mapping.fills];
    if (all.length > 0) await checkSheet(mapping, all, sent, options, resolveNames);
  }
}

async function checkSheet(
  mapping: SheetMapping,
  all: SheetMapping['set'],
  sent: ReadonlySet<string>,
  options: MapOptions,
  resolveNames: (row: MappedRow) => Promise<void>,
): Promise<void> {
  for (const { field: name, cell } of all) {
    const field = mapping.resource.fields[name];
    const text = String(cell.value);
    if (field !== undefined && !sent.has(name)) throw refused(name, text, READ_ONLY);
    const isNumber = field?.codec.type === 'integer' || field?.codec.type === 'decimal';
    if (isNumber && RELATIVE.test(text)) throw refused(name, text, ONE_VALUE);
  }
  const given = readGiven(mapping, options);
  if (given.names.length > 0) await resolveNames(given);
  const issue = given.issues.find(({ severity }) => severity === 'error');
  if (issue === undefined) return;
  const text = String(all.find(({ field }) => field === issue.field)?.cell.value ?? '');
  const bare = { ...issue, field: null, address: null };
  throw refused(issue.field ?? '', text, t(describeIssue(bare, 'en'), describeIssue(bare, 'nl')));
}

/** Says which values for all rows no sheet of the file takes. */
export function unusedValues(mappings: readonly SheetMapping[], set: readonly SetValue[]): Bilingual[] {
  const isTaken = ({ field }: SetValue): boolean =>
    field.startsWith('#') || mappings.some(({ resource }) => Object.hasOwn(resource.fields, field));
  return set
    .filter((value) => !isTaken(value))
    .map(({ field, text }) =>
      t(
        `${field}=${text} is not used: no sheet that is imported has a column ${field}.`,
        `${field}=${text} wordt niet gebruikt: geen werkblad dat wordt geïmporteerd heeft een kolom ${field}.`,
      ),
    );
}

const READ_ONLY = t('only the service fills it in', 'alleen het systeem vult hem in');
const ONE_VALUE = t(
  'it is one value for all rows, and nothing is reckoned from what a row holds: do that in the file',
  'het is één waarde voor alle rijen, en er wordt niet gerekend met wat in een rij staat: doe dat in het bestand',
);

const refused = (field: string, text: string, why: Bilingual) =>
  usageStop(t(`${field}=${text}: ${why.en}`, `${field}=${text}: ${why.nl}`), NEXT);

const NEXT = t(
  'Correct the value, or leave it out; a column of the file itself may hold it instead.',
  'Verbeter de waarde of laat haar weg; een kolom in het bestand kan haar ook bevatten.',
);
