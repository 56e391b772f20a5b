import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import { say, sayCount } from '../../language.ts';
import { Box } from '../../pieces/box.tsx';
import { Button } from '../../pieces/button.tsx';
import { Check } from '../../pieces/field.tsx';
import { hrefOf, type Place } from '../../router.ts';

const TITLE = t('Deleting', 'Verwijderen');
const ONE = t(
  '1 row deletes or unlinks a record on the service.',
  '1 rij verwijdert of ontkoppelt een record in het systeem.',
);
const OTHER = t(
  '{n} rows delete or unlink a record on the service.',
  '{n} rijen verwijderen of ontkoppelen een record in het systeem.',
);
const LOOK = t('look at these', 'deze bekijken');
const ONE_YES = t('Yes, delete 1 record', 'Ja, verwijder 1 record');
const YES = t('Yes, delete {n} records', 'Ja, verwijder {n} records');
const WITHOUT = t('Send the rest without deleting', 'De rest versturen zonder te verwijderen');

interface AgreeProps {
  readonly deletes: number;
  /** Where these rows can be looked at; absent where they are in sight. */
  readonly look: Place | undefined;
  readonly agreed: boolean;
  readonly onAgree: (agreed: boolean) => void;
  /** Plans anew without deleting; absent where nothing else is sent. */
  readonly onWithout: (() => void) | undefined;
}

/** Asks on its own whether rows may delete: sending alone never does. */
export function AgreeToDelete({ deletes, look, agreed, onAgree, onWithout }: AgreeProps): JSX.Element {
  return (
    <section class="box bad deleting" aria-labelledby="deleting">
      <div>
        <h2 id="deleting">{say(TITLE)}</h2>
        <p>
          {sayCount(deletes, ONE, OTHER)} {look !== undefined && <a href={hrefOf(look)}>{say(LOOK)}</a>}
        </p>
        <Check checked={agreed} onChange={onAgree}>
          <b>{sayCount(deletes, ONE_YES, YES)}</b>
        </Check>
        {onWithout !== undefined && (
          <Button small onClick={onWithout}>
            {say(WITHOUT)}
          </Button>
        )}
      </div>
    </section>
  );
}

const LEFT_OUT = t(
  'Rows that delete are left out of this plan, as you chose.',
  'Rijen die verwijderen zijn buiten dit plan gelaten, zoals je koos.',
);
const WITH = t('Make the plan with deleting', 'Het plan maken met verwijderen');

/** Says that deleting was left out, with the way back. */
export function DeletingLeftOut({ onWith }: { readonly onWith: () => void }): JSX.Element {
  return (
    <Box>
      <p>{say(LEFT_OUT)}</p>
      <Button small onClick={onWith}>
        {say(WITH)}
      </Button>
    </Box>
  );
}
