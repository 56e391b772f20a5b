import pg from 'pg';
import { plainText } from '../plain-text.ts';
import type { Param } from '../sql.ts';
import { SCHEMA } from './tables.ts';

/** A value as it stands in a statement: several of them are sent together, for which there are no parameters. */
function literal(param: Param): string {
  if (param === null) return 'null';
  if (typeof param === 'number') return param < 0 ? `(${param})` : String(param);
  if (typeof param === 'string') return pg.escapeLiteral(plainText(param));
  if (Buffer.isBuffer(param)) return `decode('${param.toString('hex')}', 'hex')`;
  return param.length === 0 ? `'{}'` : `array[${param.map(literal).join(', ')}]`;
}

/** A statement as PostgreSQL has it. */
export function rendered(text: string, params: readonly Param[]): string {
  let at = 0;
  return text.replaceAll(/@|(not )?in \?\?|\?\??/g, (found, not?: string) => {
    if (found === '@') return `${SCHEMA}.`;
    const value = literal(params[at++] ?? null);
    if (found === '?') return value;
    if (found === '??') return `(select unnest(${value}) as value)`;
    return not === undefined ? `= any(${value})` : `<> all(${value})`;
  });
}
