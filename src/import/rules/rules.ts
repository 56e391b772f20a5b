import { basename } from 'node:path';
import { cellAddress } from '../../core/cell.ts';
import { usageStop } from '../../core/errors.ts';
import { type Issue, shorten, stopsRow } from '../../core/issue.ts';
import type { IssueCode } from '../../core/issue-catalogue.ts';
import { type Bilingual, same, t } from '../../core/language.ts';
import { amountText } from '../../core/row-text.ts';
import type { Locale, Value } from '../../core/value.ts';
import { textsOf } from '../../files/baseline-sheet.ts';
import { readSmallText } from '../../files/small-text.ts';
import { heldIn } from '../../records/existing-record.ts';
import { issueOn } from '../../records/mapped-row.ts';
import { type HeldRules, type PlanRules, refusedRow } from '../../records/planning.ts';
import { priceFields } from '../../records/row-warnings.ts';
import { countedAmounts, type Resource } from '../../schema/resource.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import { isNamed } from '../map/header-names.ts';
import type { SheetReading } from '../map/read-rows.ts';
import { type HeldRecord, notThere, type Rule, RuleMistake, readRule } from './rule-language.ts';

/** Where rules of the user's own come from. */
export interface RuleSources {
  /** Rules of the settings. */
  readonly rules?: readonly string[] | undefined;
  /** A file of rules. */
  readonly rulesFile?: string | undefined;
}

/** A line with a rule. */
interface RuleLine {
  readonly text: string;
  readonly sentence?: string;
  /** Its file and line, its cell, or its place among the settings. */
  readonly place: string;
  /** It may switch off what is built in: not where it comes along with the rows. */
  readonly mayEnd?: true;
}

/** A rule of a resource, and what is said of a row that breaks it. */
interface SheetRule extends Rule {
  readonly code: IssueCode;
  readonly strict: boolean;
  /** As it was written; null for one that is built in. */
  readonly text: string | null;
  readonly hint: Bilingual;
}

/** The rules by resource. */
export type Rules = ReadonlyMap<string, readonly SheetRule[]>;

const HAS = t('the record has', 'het record heeft');
const TOTAL = t('the total is', 'het totaal is');
/** What holds unless it is switched off, for the field that F stands for: a price, or what was counted. */
const BUILT_IN = [
  ['price-below-zero', 'F >= 0', same('')],
  ['price-unlikely', 'F != 0', HAS],
  // Rather a number of another column, or one that lost its decimal mark.
  ['price-unlikely', 'F <= 1000000', HAS],
  ['price-leaps', 'F <= 0 or change(F) >= -50% and change(F) <= 50%', HAS],
  ['count-far-off', 'F = 0 or change(F) >= -90% and change(F) <= 900%', TOTAL],
] as const;
const CODES: ReadonlySet<string> = new Set(BUILT_IN.map(([code]) => code));

const builtIn = (resource: Resource, off: ReadonlySet<string>): SheetRule[] =>
  BUILT_IN.flatMap(([code, rule, hint]) => {
    if (off.has(code)) return [];
    const counted = countedAmounts(resource).map((one) => one.counted);
    const fields = hint === TOTAL ? counted : priceFields(resource);
    const read = fields.flatMap((name) => readRule(rule.replaceAll('F', name), [resource]));
    return read.map(([, one]) => ({ ...one, code, hint, text: null, strict: false }));
  });

/**
 * Reads the rules that are built in, those of the user's own, and those of a sheet that comes along with the rows.
 * Throws StopError with EXIT.usage for a mistake, with its place.
 */
export async function loadRules(
  { rules: own = [], rulesFile }: RuleSources,
  sheet: Pick<Sheet, 'name' | 'rows'> | undefined,
  resources: readonly Resource[],
): Promise<Rules> {
  const lines: RuleLine[] = own.map((text, at) => ({ text, place: `rules #${at + 1}`, mayEnd: true }));
  if (rulesFile !== undefined) lines.push(...linesOf(rulesFile));
  for await (const { number, cells } of sheet?.rows ?? []) {
    const [text = '', sentence = ''] = textsOf({ number, cells });
    lines.push({ text, sentence, place: `${sheet?.name}!${cellAddress(1, number)}` });
    if (lines.length > MOST) break;
  }
  return compileRules(lines, resources);
}

/** The lines of a file of rules. Throws StopError with EXIT.usage for one that can't be read. */
function linesOf(file: string): RuleLine[] {
  try {
    const lines = readSmallText(file, MOST_BYTES).split(/\r?\n/);
    return lines.map((text, at) => ({ text, place: `${basename(file)}:${at + 1}`, mayEnd: true }));
  } catch (cause) {
    throw usageStop(
      t(`The rules in ${file} can’t be read.`, `De regels in ${file} zijn niet te lezen.`),
      t('Name a text file with a rule on each line.', 'Noem een tekstbestand met op elke regel een regel.'),
      cause,
    );
  }
}

const MOST = 500;
const MOST_BYTES = 2 ** 18;
/** Blank lines, remarks, and the header of a sheet. */
const PASSED_OVER = /^\s*(#.*|rules?|regels?)?\s*$/i;
const RULE = /^\s*(!?)\s*(?:(\p{L}[\p{L} -]*?)\s*:)?(.*?)(!?)\s*$/su;

function compileRules(lines: readonly RuleLine[], resources: readonly Resource[]): Rules {
  const off = new Set<string>();
  const own: (readonly [Resource, SheetRule])[] = [];
  const read = ({ text, sentence, mayEnd }: RuleLine): void => {
    const [whole = '', ...behind] = text.split(' | ');
    const [, before, name, rule = '', after] = RULE.exec(whole) ?? [];
    if (name !== undefined && /^(off|uit)$/i.test(name)) {
      if (!mayEnd || !CODES.has(rule.trim())) throw new RuleMistake(0, NO_CODE);
      off.add(rule.trim());
      return;
    }
    const named = resources.filter((one) => name === undefined || isNamed(one, name));
    if (name !== undefined && named.length === 0)
      throw notThere(
        text.indexOf(name),
        name,
        resources.flatMap((one) => [one.sheet, one.name]),
        t(`there is no sheet ${name}.`, `er is geen werkblad ${name}.`),
      );
    const said = (sentence || behind.join(' | ')).trim();
    const hint = said === '' ? t(`The rule is ${rule.trim()}`, `De regel is ${rule.trim()}`) : same(said);
    const strict = before !== '' || after !== '';
    const at = whole.lastIndexOf(rule);
    for (const [resource, read] of readRule(' '.repeat(at) + rule, named))
      own.push([resource, { ...read, hint, strict, text: rule.trim(), code: 'rule-not-held' }]);
  };
  for (const [at, line] of lines.entries()) {
    const { text, place } = line;
    try {
      if (at > MOST) throw new RuleMistake(0, TOO_MANY);
      if (!PASSED_OVER.test(text)) read(line);
    } catch (error) {
      if (!(error instanceof RuleMistake)) throw error;
      const [where, rest] = [`${place}:${error.at + 1}`, shorten(text.slice(error.at))];
      const [en, nl] = [error.text.en, error.text.nl].map((what) => what.replace(/\.?$/, '.'));
      throw usageStop(
        rest === ''
          ? t(`${where}, at the end: ${en}`, `${where}, aan het einde: ${nl}`)
          : t(`${where}, at “${rest}”: ${en}`, `${where}, bij „${rest}”: ${nl}`),
        t(
          'Correct it; docs/rules.md says how rules are written.',
          'Verbeter hem; docs/rules.md zegt hoe je regels schrijft.',
        ),
      );
    }
  }
  return new Map(
    resources.map((resource) => [
      resource.name,
      [...builtIn(resource, off), ...own.flatMap(([of, rule]) => (of === resource ? rule : []))],
    ]),
  );
}

const TOO_MANY = t(`there are more than ${MOST} rules`, `er zijn meer dan ${MOST} regels`);
const NO_CODE = t(
  `a workbook switches nothing off; in the settings or a file of rules off takes one of ${[...CODES].join(', ')}`,
  `een werkmap zet niets uit; in de instellingen of een bestand met regels hoort achter uit een van ${[...CODES].join(', ')}`,
);

/** Holds rows that create or update against the rules of their sheet; what can't be told is noted in its reading. */
export const holding = (
  rules: readonly SheetRule[],
  resource: Resource,
  {
    rules: { strict, locale = 'nl' },
    reading,
  }: { readonly rules: Pick<PlanRules, 'strict' | 'locale'>; readonly reading: SheetReading },
): HeldRules => ({
  unlisted: rules.flatMap(({ fields }) => fields.filter((name) => resource.fields[name]?.reads === 'detail')),
  hold(planned, row, existing) {
    if (planned.action !== 'create' && planned.action !== 'update') return planned;
    const of =
      (side: 'from' | 'to') =>
      (field: string): Value | undefined => {
        const change = planned.changes.find((one) => one.field === field);
        if (change !== undefined) return change[side];
        const held = existing && heldIn(resource, existing, field);
        return side === 'to' && (existing === null || held === undefined) ? row.values[field] : held;
      };
    const [was, now] = [of('from'), of('to')];
    const shown = (field: string, value: Value = null, by: Locale = locale): string =>
      typeof value === 'string' ? value : amountText(value, resource.fields[field]?.money === true, by);
    const found: Issue[] = [];
    for (const rule of rules) {
      const { code, fields, text } = rule;
      const field = fields.find((name) => row.values[name] !== undefined);
      if (field === undefined) continue;
      const record: HeldRecord = { was, now };
      const holds = rule.holds(record);
      if (holds === undefined && record.unknown !== undefined && text !== null) {
        reading.unheld ??= {};
        const { count = 0 } = reading.unheld[text] ?? {};
        reading.unheld[text] = { count: count + 1, field: record.unknown };
      }
      // What is built in is no news of a record that has it already.
      if (holds !== false || (text === null && rule.holds({ was, now: was }) === false)) continue;
      const others = fields.filter((name) => name !== field);
      const hintIn = (by: Locale): string => {
        const hint = rule.hint[by];
        if (text === null)
          return hint && typeof was(field) === 'number' ? `${hint} ${shown(field, was(field), by)}` : '';
        const beside = others.map((name) => `${name} ${shown(name, now(name), by)}`).join(', ');
        return beside === '' ? hint : `${hint.replace(/\.$/, '')} (${beside})`;
      };
      const finding = { code, found: shown(field, now(field)), hint: t(hintIn('en'), hintIn('nl')) };
      found.push(issueOn(row, field, finding, strict || rule.strict));
    }
    if (found.length === 0) return planned;
    return stopsRow(found)
      ? refusedRow(planned, found)
      : { ...planned, issues: [...planned.issues, ...found] };
  },
});
