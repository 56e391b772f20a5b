import { extname } from 'node:path';
import { insideRoot } from './relationships-part.ts';
import { escapeXml } from './xml-write.ts';

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const EXCEL = 'application/vnd.ms-excel';

/** The content types of the parts that a result may add. */
export const CONTENT = {
  worksheet: `${SPREADSHEET}.worksheet+xml`,
  styles: `${SPREADSHEET}.styles+xml`,
  comments: `${SPREADSHEET}.comments+xml`,
} as const;

/** The content types part with those of added parts, by their names; `drawings` when there are drawings of notes among them. */
export function withContentTypes(
  part: string,
  added: ReadonlyMap<string, string>,
  drawings: boolean,
): string {
  const prefix = /<([\w.-]+:)?Types\b/.exec(part)?.[1] ?? '';
  const overrides = [...added].map(
    ([name, type]) => `<${prefix}Override PartName="/${escapeXml(name)}" ContentType="${type}"/>`,
  );
  const known = /<(?:[\w.-]+:)?Default\b[^>]*\bExtension\s*=\s*["']vml["']/i.test(part);
  if (drawings && !known)
    overrides.push(
      `<${prefix}Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>`,
    );
  return overrides.length === 0 ? part : insideRoot(part, `${prefix}Types`, overrides.join(''));
}

/** A template becomes the workbook that is made from it: spreadsheet programs refuse a file whose name and content disagree. */
export function asWorkbook(part: string, target: string): string {
  const plain = part
    .replace(`${SPREADSHEET}.template.main+xml`, `${SPREADSHEET}.sheet.main+xml`)
    .replace(`${EXCEL}.template.macroEnabled.main+xml`, `${EXCEL}.sheet.macroEnabled.main+xml`);
  if (extname(target).toLowerCase() !== '.xlsm') return plain;
  return plain.replace(`${SPREADSHEET}.sheet.main+xml`, `${EXCEL}.sheet.macroEnabled.main+xml`);
}
