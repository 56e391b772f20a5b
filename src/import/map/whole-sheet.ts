import { normaliseHeader } from '../../core/header.ts';
import { describeIssue, issueAt } from '../../core/issue.ts';
import { type Bilingual, t, withFlag } from '../../core/language.ts';
import { type IssueGroup, lackedIn } from '../../core/plan-report.ts';
import { shownMoment } from '../../core/shown-moment.ts';
import type { Locale } from '../../core/value.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { type Context, wallClock } from '../../run/context.ts';
import { readLookup } from '../../run/lookup-lists.ts';
import type { Field, LookupEntry } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';
import { isName } from './cell-sense.ts';
import type { RecognisedSheet } from './recognise.ts';
import type { SetValue } from './sheet-mapping.ts';

/** Asks for a line of text. */
export type AskText = (question: Bilingual) => Promise<string>;

/**
 * The fields that mostly have one value for a whole sheet of amounts: who, when and why. They are needed, and
 * say nothing of the product.
 */
function sharedFields(resource: Resource): readonly string[] {
  const { fields, keys } = resource;
  if (kindOf(resource).amounts === undefined) return [];
  return Object.keys(fields).filter((name) => fields[name]?.create === 'required' && !keys.includes(name));
}

/** What of these fields `--set` gives to all rows: who, when and why. */
export const settable = (resource: Resource, lacking: readonly string[]): readonly string[] =>
  sharedFields(resource).filter((field) => lacking.includes(field));

/** Says which flags give all rows what they lack of who, when and why; undefined where they lack none. */
export function setText(resource: Resource, lacking: readonly string[]): Bilingual | undefined {
  const fields = settable(resource, lacking);
  if (fields.length === 0) return undefined;
  return withFlag(
    t(
      `to give all rows that lack it one value, fill in ${fields.join(', ')}`,
      `om alle rijen waar iets ontbreekt één waarde te geven: vul ${fields.join(', ')} in`,
    ),
    fields.map((field) => `--set ${field}=…`).join(' '),
  );
}

/** Values for all rows, asked once for what rows of a sheet of amounts lack. An empty answer leaves it. */
export async function askShared(
  context: Context,
  recognised: readonly RecognisedSheet[],
  groups: readonly IssueGroup[],
  asking: Asking,
): Promise<SetValue[]> {
  const found: SetValue[] = [];
  for (const entry of recognised) {
    if (entry.kind !== 'import') continue;
    const { sheet, mapping } = entry;
    const lacking = settable(mapping.resource, lackedIn(groups, sheet.name));
    const open = lacking.filter((name) => !found.some(({ field }) => field === name));
    if (open.length > 0) asking.tell(introText(sheet.name));
    for (const name of open) {
      const field = mapping.resource.fields[name];
      const text = field === undefined ? '' : await askValue(context, name, field, asking);
      if (text !== '') found.push({ field: name, text });
    }
  }
  return found;
}

const introText = (sheet: string): Bilingual =>
  t(
    `Rows of ${sheet} do not say this. One answer goes for all of those; Enter leaves it empty.`,
    `Rijen van ${sheet} zeggen dit niet. Eén antwoord geldt voor al die rijen; Enter laat het leeg.`,
  );

interface Asking {
  readonly locale: Locale;
  readonly ask: AskText;
  readonly tell: (text: Bilingual) => void;
}

/** Asks until the answer is a value of the field, or empty. */
async function askValue(
  context: Context,
  name: string,
  field: Field,
  { locale, ask, tell }: Asking,
): Promise<string> {
  const entries = await choicesOf(context, field);
  for (;;) {
    const answer = asMoment((await ask(questionOn(name, field, entries))).trim(), field, context);
    if (answer === '') return '';
    const wrong = problemWith(answer, name, field, { locale, entries });
    if (wrong === undefined) return answer;
    tell(wrong);
  }
}

/** Names that are shown to choose from. */
const MOST_CHOICES = 12;

async function choicesOf(context: Context, { lookup }: Field): Promise<readonly LookupEntry[]> {
  if (lookup === undefined) return [];
  const list = await readLookup(context, lookup);
  return 'entries' in list ? list.entries : [];
}

function questionOn(
  name: string,
  { help, example, codec }: Field,
  entries: readonly LookupEntry[],
): Bilingual {
  const choices = entries.slice(0, MOST_CHOICES).map(({ label }) => label);
  const list = [...choices, ...(entries.length > MOST_CHOICES ? ['…'] : [])].join(', ');
  const like = codec.type === 'datetime' ? shownMoment(String(example)) : t(`${example}`, `${example}`);
  const [en, nl] =
    list === '' ? [`such as ${like.en}`, `zoals ${like.nl}`] : [`one of ${list}`, `een van ${list}`];
  return t(`  ${help.en} (${name}), ${en}: `, `  ${help.nl} (${name}), ${nl}: `);
}

const TODAY =
  /^(?:(nu|now)|(?:(vandaag|today)|(?:gisteren|yesterday))(?:\s+(?:om\s+|at\s+)?(\d{1,2}[:.]\d\d))?)$/i;
const DAY = 24 * 60 * 60 * 1000;

/** `nu`, `vandaag 8:00` and `yesterday` as a moment; all else as it stands. */
export function asMoment(answer: string, { codec }: Field, { time }: Pick<Context, 'time'>): string {
  const [whole, now, today, hour] = TODAY.exec(answer) ?? [];
  if (codec.type !== 'datetime' || whole === undefined) return answer;
  if (now !== undefined) return wallClock(time.now()).slice(0, 16);
  const day = wallClock(time.now() - (today === undefined ? DAY : 0)).slice(0, 10);
  return hour === undefined ? day : `${day} ${hour.replace('.', ':').padStart(5, '0')}`;
}

function problemWith(
  answer: string,
  name: string,
  { codec, lookup }: Field,
  { locale, entries }: { readonly locale: Locale; readonly entries: readonly LookupEntry[] },
): Bilingual | undefined {
  const cell = { type: 'text', column: 0, value: answer } as const;
  if (lookup !== undefined && isName(cell)) {
    const isKnown = entries.some(({ label }) => normaliseHeader(label) === normaliseHeader(answer));
    return isKnown || entries.length === 0 ? undefined : t('That is none of them.', 'Die staat er niet bij.');
  }
  const read = codec.decode(cell, locale);
  if (read.ok) return undefined;
  const issue = issueAt(read.finding, { field: name, address: null });
  return t(describeIssue(issue, 'en'), describeIssue(issue, 'nl'));
}
