import type { JSX } from 'preact';
import { type Bilingual, t } from '../../../core/language.ts';
import type { RowDetail } from '../../contract/documents.ts';
import { say, sayCount } from '../language.ts';
import { Button } from '../pieces/button.tsx';

/** What is said of a doubtful row. */
export type SettleAs = 'done' | 'resend';

const TITLE = t('Requests', 'Verzoeken');
const STATES: Readonly<Record<RowDetail['requests'][number]['state'], Bilingual>> = {
  waiting: t('to be sent', 'nog te versturen'),
  out: t('sent, no answer', 'verstuurd, geen antwoord'),
  done: t('done', 'gedaan'),
};
const FIELD = t('1 field', '1 veld');
const FIELDS = t('{n} fields', '{n} velden');

/** The requests of a row and what came of them. */
export function RowRequests({ requests }: Pick<RowDetail, 'requests'>): JSX.Element | null {
  if (requests.length === 0) return null;
  return (
    <section>
      <h3>{say(TITLE)}</h3>
      <ol class="requests">
        {requests.map(({ path, state, fields }, at) => (
          <li key={`${at} ${path}`}>
            <code>{path}</code>
            <span class={`pill ${state === 'done' ? 'good' : state === 'out' ? 'bad' : 'plain'}`}>
              {say(STATES[state])}
            </span>
            {fields > 0 && <span class="dim">{sayCount(fields, FIELD, FIELDS)}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

const DOUBT = t('Did it arrive?', 'Is het aangekomen?');
const WHY = t(
  'This row was sent and no answer came, so it may have arrived. Look it up on the service: if it is there, say so; if it isn’t, send it again. Sending it again when it did arrive makes it twice.',
  'Deze rij is verstuurd en er kwam geen antwoord, dus misschien is hij aangekomen. Zoek hem op in het systeem: staat hij er, zeg dat dan; staat hij er niet, verstuur hem dan opnieuw. Opnieuw versturen terwijl hij er al is, maakt hem dubbel.',
);
const ARRIVED = t('It did arrive', 'Het is aangekomen');
const AGAIN = t('Send again', 'Opnieuw versturen');

interface DoubtProps {
  readonly busy: boolean;
  readonly onSettle: (as: SettleAs) => void;
}

/** Asks the user what nobody else can tell: whether a row arrived. */
export function RowDoubt({ busy, onSettle }: DoubtProps): JSX.Element {
  return (
    <section class="box warn doubtful">
      <div>
        <h3>{say(DOUBT)}</h3>
        <p>{say(WHY)}</p>
        <div class="actions">
          <Button small busy={busy} onClick={() => onSettle('done')}>
            {say(ARRIVED)}
          </Button>
          <Button small busy={busy} onClick={() => onSettle('resend')}>
            {say(AGAIN)}
          </Button>
        </div>
      </div>
    </section>
  );
}
