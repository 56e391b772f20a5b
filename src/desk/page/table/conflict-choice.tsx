import type { JSX } from 'preact';
import { t } from '../../../core/language.ts';
import type { RowDetail, TableRow } from '../../contract/documents.ts';
import { say } from '../language.ts';
import { Button } from '../pieces/button.tsx';

/** Whose values a row in conflict gets; null leaves it open. */
export type Decision = TableRow['decided'];

interface ChoiceProps {
  readonly detail: RowDetail;
  readonly busy: boolean;
  /** Absent where nothing can be decided any more. */
  readonly onDecide?: ((decision: Decision) => void) | undefined;
}

const TITLE = t('Changed by someone else', 'Door iemand anders gewijzigd');
const WHY = t(
  'This record changed on the service after your file was made.',
  'Dit record is in het systeem gewijzigd nadat je bestand was gemaakt.',
);
const FIELD = t('Field', 'Veld');
const WAS = t('In your file before', 'Eerst in je bestand');
const NOW = t('On the service now', 'Nu in het systeem');
const MINE = t('You want', 'Jij wilt');
/** What can be decided, as its buttons say it. */
export const DECISION_WORDS = {
  mine: t('Send mine', 'Het mijne versturen'),
  theirs: t('Keep theirs', 'Dat van het systeem houden'),
  skip: t('Leave this row', 'Deze rij laten'),
} as const;
const DECISIONS = ['mine', 'theirs', 'skip'] as const;
const DECIDE = t('What is to be done with it', 'Wat ermee moet gebeuren');

/** What each field of a conflict was, is and was to be, with the choice between them. */
export function ConflictChoice({ detail, busy, onDecide }: ChoiceProps): JSX.Element {
  const { conflict, row } = detail;
  return (
    <section class="conflict">
      <h3>{say(TITLE)}</h3>
      <p class="dim">{say(WHY)}</p>
      {conflict.length > 0 && (
        <div class="wide">
          <table>
            <thead>
              <tr>
                {[FIELD, WAS, NOW, MINE].map((word) => (
                  <th key={word.en} scope="col">
                    {say(word)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {conflict.map(({ field, was, now, mine }) => (
                <tr key={field}>
                  <th scope="row">{field}</th>
                  <td data-label={say(WAS)}>{was}</td>
                  <td data-label={say(NOW)} class={now === was ? undefined : 'theirs'}>
                    {now}
                  </td>
                  <td data-label={say(MINE)} class={mine === now ? undefined : 'mine'}>
                    {mine}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {onDecide !== undefined && (
        <fieldset class="decide">
          <legend class="unseen">{say(DECIDE)}</legend>
          {DECISIONS.map((decision) => (
            <Button
              key={decision}
              small
              busy={busy}
              pressed={row.decided === decision}
              onClick={() => onDecide(row.decided === decision ? null : decision)}
            >
              {say(DECISION_WORDS[decision])}
            </Button>
          ))}
        </fieldset>
      )}
    </section>
  );
}
