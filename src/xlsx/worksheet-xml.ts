import { cellAddress } from '../core/cell.ts';
import { excelText, LONGEST_TEXT } from './excel-text.ts';
import { textToSerial } from './numbers-and-dates.ts';
import {
  DECLARATION,
  escapeText,
  escapeXml,
  hasOuterBlanks,
  MAIN_NAMESPACE,
  RELATIONSHIPS_NAMESPACE,
  textElement,
} from './xml/xml-write.ts';

/** The open root of a worksheet part; `main` is the namespace of its workbook. */
export const worksheetOpen = (main: string = MAIN_NAMESPACE): string =>
  `${DECLARATION}<worksheet xmlns="${main}" xmlns:r="${RELATIONSHIPS_NAMESPACE}">`;

/** Printed with all columns on the width of a sheet of paper. */
export const FITTED = '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>';

/** The value of a cell; `date` is wall-clock text as in `Cell`. A text stays text. */
type CellValue = string | number | boolean | { readonly date: string };

/** Texts with what Excel wants to be marked, or XML can't hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML can't hold
const ODD = /[_\x00-\x1f\x7f\ufffe\uffff]/;

/** The tags in a cell, by the prefix of its namespace. */
const tagsOf = (prefix: string) => ({
  end: `</${prefix}c>`,
  value: `<${prefix}v>`,
  valueEnd: `</${prefix}v></${prefix}c>`,
  inline: ` t="inlineStr"><${prefix}is>`,
  inlineEnd: `</${prefix}is></${prefix}c>`,
  text: `<${prefix}t>`,
  textEnd: `</${prefix}t>`,
});

/** Of a sheet without a prefix, made once, for speed. */
const TAGS = tagsOf('');

/** The type and content of a cell, behind its other attributes; the formula is an element. */
export function contentXml(value: CellValue | null, formula = '', prefix = ''): string {
  const tags = prefix === '' ? TAGS : tagsOf(prefix);
  if (value === null || value === '') return formula === '' ? '/>' : `>${formula}${tags.end}`;
  if (typeof value === 'boolean') return ` t="b">${formula}${tags.value}${value ? 1 : 0}${tags.valueEnd}`;
  const number = typeof value === 'object' ? textToSerial(value.date) : value;
  // NaN and Infinity damage the file.
  if (typeof number === 'number' && Number.isFinite(number))
    return `>${formula}${tags.value}${number}${tags.valueEnd}`;
  const text = typeof value === 'object' ? value.date : String(value);
  if (formula !== '') return ` t="str">${formula}${tags.value}${escapeText(text)}${tags.valueEnd}`;
  // A list of shared texts would have to wait in memory.
  if (text.length <= LONGEST_TEXT && !ODD.test(text) && !hasOuterBlanks(text))
    return `${tags.inline}${tags.text}${escapeText(text)}${tags.textEnd}${tags.inlineEnd}`;
  return `${tags.inline}${textElement(`${prefix}t`, excelText(text))}${tags.inlineEnd}`;
}

/** The XML of a cell with a value. */
export function cellXml(address: string, style: number, value: CellValue | null, prefix = ''): string {
  return `<${prefix}c r="${address}"${style === 0 ? '' : ` s="${style}"`}${contentXml(value, '', prefix)}`;
}

/** The element of a column; style 0 is that of every cell. */
export function columnXml(column: number, width: number, style = 0, prefix = ''): string {
  const styled = style === 0 ? '' : ` style="${style}"`;
  return `<${prefix}col min="${column}" max="${column}" width="${width}"${styled} customWidth="1"/>`;
}

/**
 * The view of a sheet that stays in sight down to a row, null for none, and of `columns` at its left; `marks`
 * are attributes.
 */
export function frozenView(row: number | null, marks = '', columns = 0): string {
  const first = cellAddress(columns + 1, (row ?? 0) + 1);
  const split = columns === 0 ? '' : ` xSplit="${columns}"`;
  const place = columns === 0 ? 'bottomLeft' : 'bottomRight';
  const pane = `<pane${split} ySplit="${row}" topLeftCell="${first}" activePane="${place}" state="frozen"/>`;
  const selected = `<selection pane="${place}" activeCell="${first}" sqref="${first}"/>`;
  const frozen = row === null ? '' : `${pane}${selected}`;
  return `<sheetViews><sheetView${marks} workbookViewId="0">${frozen}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>`;
}

/** Without this Excel marks each number stored as text in these ranges. */
export const textsIn = (ranges: readonly string[]): string =>
  ranges.length === 0
    ? ''
    : `<ignoredErrors><ignoredError sqref="${ranges.join(' ')}" numberStoredAsText="1"/></ignoredErrors>`;

/** Excel takes 255 characters; `&` starts a code, which a digit behind a size would extend. */
const FOOTER_ROOM = 120;

/** The footer of printed pages: a text, and the number of each page of how many. */
export const footerXml = (footer: string): string =>
  `<headerFooter><oddFooter>&amp;L&amp;8 ${escapeXml(footer.slice(0, FOOTER_ROOM).replaceAll('&', '&&'))}&amp;R&amp;8 &amp;P / &amp;N</oddFooter></headerFooter>`;
