import { booleanCodec } from '../core/codecs/boolean.ts';
import { parseIso } from '../core/codecs/datetime.ts';
import { decimalOf } from '../core/decimal.ts';
import type { Language } from '../core/language.ts';
import { moneyText, valueText } from '../core/row-text.ts';
import { shownMoment } from '../core/shown-moment.ts';
import { toldApart, visibleLine } from '../core/visible-text.ts';
import type { FinanceColumn, FinanceDefinition, FinanceSheet } from '../schema/finance-definition.ts';
import type { NameLookup } from './name-lookup.ts';
import type { ChangedRecord } from './record-changes.ts';

/** What changed in each record that is listed, in words: `Gasten: 85 → 95`; empty where nothing tells. */
export async function changedTexts(
  records: readonly ChangedRecord[],
  definition: FinanceDefinition,
  { names, language }: { readonly names: NameLookup; readonly language: Language },
): Promise<string[]> {
  const say = async ({ sheet, changes = [] }: ChangedRecord): Promise<string> => {
    const of = definition[sheet];
    const said = changes.map(async ({ field, from, to }) => {
      const shown = [from, to].map((value) => shownValue(of, field, value, { names, language }));
      const [was = '', is = ''] = await Promise.all(shown);
      return `${headerOf(of, field, language)}: ${toldApart(was, is).join(' → ')}`;
    });
    return (await Promise.all(said)).join('; ');
  };
  return Promise.all(records.map(say));
}

const columnsFor = ({ columns }: FinanceSheet, field: string): FinanceColumn[] =>
  columns.filter(({ member, worked, told }) => [member, worked, told].includes(field));

/** A column's header; of an id and its name in two columns, the name's. */
function headerOf(sheet: FinanceSheet, field: string, language: Language): string {
  const same = columnsFor(sheet, field);
  return (same.find(({ names }) => names !== undefined) ?? same[0])?.header[language] ?? field;
}

async function shownValue(
  sheet: FinanceSheet,
  field: string,
  value: unknown,
  { names, language }: { readonly names: NameLookup; readonly language: Language },
): Promise<string> {
  if (value === null || value === undefined || value === '') return valueText(null, language);
  const same = columnsFor(sheet, field);
  const source = same.find((column) => column.names !== undefined)?.names;
  const name = source === undefined ? null : await names.nameOf(source, value);
  const text = visibleLine(textOf(value, same[0]?.type, language));
  return name === null ? text : `${visibleLine(name)} (${text})`;
}

function textOf(value: unknown, type: FinanceColumn['type'] | undefined, language: Language): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (type === 'day' || type === 'moment') {
    const moment = parseIso(text);
    return moment === undefined ? text : shownMoment(type === 'day' ? moment.slice(0, 10) : moment)[language];
  }
  if (type === 'boolean') {
    const flag = booleanCodec.read(value);
    return typeof flag === 'boolean' ? valueText(flag, language) : text;
  }
  const amount = type === 'amount' || type === 'quantity' ? decimalOf(value) : null;
  if (amount === null) return text;
  const exact = amount.toNumber();
  return type === 'amount' ? moneyText(exact, language) : valueText(exact, language);
}
