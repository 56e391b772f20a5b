import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import type { PlanDocument } from '../../../contract/documents.ts';
import { figure, say, sayCount } from '../../language.ts';
import { Box } from '../../pieces/box.tsx';

const ONE = t('1 row is not taken back', '1 rij wordt niet teruggedraaid');
const OTHER = t('{n} rows are not taken back', '{n} rijen worden niet teruggedraaid');
const WHICH = t('Which, and why', 'Welke, en waarom');
const MORE = t('and {n} more: they stand in the workbook.', 'en nog {n}: ze staan in de werkmap.');

/** Of so few the list is open at once. */
const FEW = 3;
/** Rows that are named. */
const MOST = 12;

interface LeftProps {
  readonly plan: PlanDocument;
  /** A longer list is opened on demand: the rows of the plan come first. */
  readonly folded?: boolean;
}

/** Names what an undo leaves of its run, and why; nothing of any other plan. */
export function LeftByUndo({ plan: { left }, folded = false }: LeftProps): JSX.Element | null {
  if (left === null) return null;
  return (
    <Box tone="warn">
      <p>
        <b>{sayCount(left.count, ONE, OTHER)}</b>
      </p>
      <details open={!folded || left.count <= FEW}>
        <summary>{say(WHICH)}</summary>
        <ul class="plain-list">
          {left.rows.slice(0, MOST).map(({ sheet, row, why }) => (
            <li key={`${sheet} ${row} ${why}`}>
              <b>
                {sheet} {row}
              </b>{' '}
              {why}
            </li>
          ))}
          {left.count > MOST && <li>{say(MORE, { n: figure(left.count - MOST) })}</li>}
        </ul>
      </details>
    </Box>
  );
}
