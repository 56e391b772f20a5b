import pg from 'pg';
import { type Param, plainText } from '../sql.ts';

/** The PostgreSQL schema that holds all tables: a company may keep a ledger beside other data. */
export const SCHEMA = 'catersheet';

/** Texts that may not be kept as they are; quickly told. */
const UNUSUAL = /[\0\ud800-\udfff]/;

/** A text as it is kept. */
export const kept = (text: string): string => (UNUSUAL.test(text) ? plainText(text) : text);

/** As the driver does it, letter by letter, for those that are not plain. */
const quoted = (text: string): string =>
  text.includes('\\') ? pg.escapeLiteral(text) : `'${text.replaceAll("'", "''")}'`;

/** A value as it stands in a statement: several of them are sent together, for which there are no parameters. */
function literal(param: Param): string {
  if (param === null) return 'null';
  if (typeof param === 'number') return param < 0 ? `(${param})` : String(param);
  if (typeof param === 'string') return quoted(kept(param));
  if (Buffer.isBuffer(param)) return `decode('${param.toString('hex')}', 'hex')`;
  return param.length === 0 ? `'{}'` : `array[${param.map(literal).join(', ')}]`;
}

/** A statement as PostgreSQL has it. */
export function rendered(text: string, params: readonly Param[]): string {
  let at = 0;
  return text.replaceAll(/@| ->>|(not )?in \?\?|\?\??/g, (found, not?: string) => {
    if (found === '@') return `${SCHEMA}.`;
    if (found === ' ->>') return '::json ->>';
    const value = literal(params[at++] ?? null);
    if (found === '?') return value;
    if (found === '??') return `(select unnest(${value}) as value)`;
    return not === undefined ? `= any(${value})` : `<> all(${value})`;
  });
}

/** A statement that has no values but those of its rows. */
export const renderedRows = (
  [before, after]: readonly [before: string, after: string],
  rows: readonly (readonly Param[])[],
): string =>
  `${rendered(before, [])}${rows.map((row) => `(${row.map(literal).join(', ')})`).join(', ')}${rendered(after, [])}`;
