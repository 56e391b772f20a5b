import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { RowDetail } from '../../contract/documents.ts';
import { say } from '../language.ts';
import { Button } from '../pieces/button.tsx';
import { type CellEditing, Corrected, isActionCell } from './row-cells.tsx';

const TITLE = t('What to do with this row', 'Wat er met deze rij moet gebeuren');
const WORDS = {
  '': t('What is needed', 'Wat nodig is'),
  create: t('Create', 'Aanmaken'),
  update: t('Update', 'Wijzigen'),
  delete: t('Delete', 'Verwijderen'),
  skip: t('Leave out', 'Overslaan'),
} as const;
type Word = keyof typeof WORDS;

interface ActionProps {
  readonly detail: RowDetail;
  readonly editing: CellEditing;
}

/** Leaves a row out, or says what is to be done with it: a correction of its cell `#action`. */
export function RowAction({ detail, editing }: ActionProps): JSX.Element | null {
  const id = useId();
  const cell = detail.cells.find(isActionCell);
  if (cell === undefined) return null;
  const chosen = cell.text.trim().toLowerCase();
  // Deleting is asked for in the file alone.
  const words = ['', ...detail.actions.filter((word) => word !== 'delete' || word === chosen)];
  return (
    <section>
      <h3 id={id}>{say(TITLE)}</h3>
      <fieldset class="decide" aria-labelledby={id}>
        {words.map((word) => (
          <Button
            key={word}
            small
            busy={editing.saving === cell.column}
            pressed={chosen === word}
            onClick={() => {
              if (chosen !== word) editing.save(cell.column, word === (cell.before ?? null) ? null : word);
            }}
          >
            {say(WORDS[word as Word])}
          </Button>
        ))}
      </fieldset>
      <Corrected cell={cell} editing={editing} />
    </section>
  );
}
