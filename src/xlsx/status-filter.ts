import { type Bilingual, t } from '../core/language.ts';
import type { ResultSheet, ShownOutcome } from '../files/result-sheet.ts';

/** A filter on the first added column, `#status`, that hides rows. */
export interface StatusFilter {
  /** The statuses that are shown, each once. */
  readonly statuses: readonly string[];
  /** Rows without a status are shown: there are some between the others, or right below them. */
  readonly blanks: boolean;
  /** The last row with a status. */
  readonly bottom: number;
  hides(outcome: ShownOutcome | undefined): boolean;
  /** Whether the row is one of those that are wanted. */
  shows(outcome: ShownOutcome | undefined): boolean;
}

/**
 * The filter that leaves the wanted rows of a sheet; reads its outcomes once. Undefined if all rows are
 * shown, or none is wanted: a sheet without visible rows would look as if it had lost them.
 */
export async function statusFilter({
  shown,
  outcomes,
  headerRow,
}: ResultSheet): Promise<StatusFilter | undefined> {
  if (shown === undefined || outcomes === undefined || headerRow === null) return undefined;
  const statuses = new Set<string>();
  let bottom = headerRow;
  let filled = 0;
  let blanks = false;
  for await (const outcome of outcomes) {
    const status = statusOf(outcome);
    if (status === '') {
      blanks = true;
      continue;
    }
    filled++;
    bottom = Math.max(bottom, outcome.row);
    if (shown.wants(outcome)) statuses.add(status);
  }
  if (statuses.size === 0) return undefined;
  return {
    statuses: [...statuses],
    blanks: blanks || filled < bottom - headerRow || shown.lastRow > bottom,
    bottom,
    hides: (outcome) => statusOf(outcome) !== '' && !statuses.has(statusOf(outcome)),
    shows: (outcome) => statuses.has(statusOf(outcome)),
  };
}

/** The status of a row, `''` for none. */
function statusOf(outcome: ShownOutcome | undefined): string {
  const status = outcome?.cells[0];
  return typeof status === 'string' ? status : '';
}

/** The note for a sheet in which no row is wanted. */
export function noWorkNote({ name }: Pick<ResultSheet, 'name'>): Bilingual {
  return t(
    `sheet ${name}: no row needs work, so it has no filter on #status`,
    `werkblad ${name}: geen rij vraagt nog werk, dus er staat geen filter op #status`,
  );
}

/** Rows that are listed; others are counted. */
const LISTED = 5;

/** Rows that were hidden and are shown, as they are wanted: the first ones, and how many. */
export class ShownAgain {
  private readonly first: number[] = [];
  private count = 0;

  add(row: number): void {
    this.count++;
    if (this.first.length < LISTED) this.first.push(row);
  }

  /** The note that names them; none if there are none. */
  notes({ name }: Pick<ResultSheet, 'name'>): Bilingual[] {
    if (this.count === 0) return [];
    const more = this.count - this.first.length;
    const rows = this.first.join(', ');
    const [en, nl] = more > 0 ? [` and ${more} more`, ` en nog ${more}`] : ['', ''];
    const one = this.count === 1;
    return [
      t(
        `sheet ${name}: ${one ? 'row' : 'rows'} ${rows}${en} ${one ? 'was hidden and is shown now, as it needs' : 'were hidden and are shown now, as they need'} work`,
        `werkblad ${name}: ${one ? 'rij' : 'rijen'} ${rows}${nl} ${one ? 'was verborgen en is nu te zien, want die vraagt' : 'waren verborgen en zijn nu te zien, want die vragen'} werk`,
      ),
    ];
  }
}

/** The condition of a filter on its column `column`, from 0. */
export function filterColumnXml(
  { statuses, blanks }: Pick<StatusFilter, 'statuses' | 'blanks'>,
  column: number,
  prefix: string,
): string {
  const values = statuses.map((status) => `<${prefix}filter val="${status}"/>`).join('');
  const filters = `<${prefix}filters${blanks ? ' blank="1"' : ''}>${values}</${prefix}filters>`;
  return `<${prefix}filterColumn colId="${column}">${filters}</${prefix}filterColumn>`;
}
