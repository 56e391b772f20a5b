import type { JSX } from 'preact';
import type { CheckDocument } from '../../../../api/documents.ts';
import { t } from '../../../../core/language.ts';
import { capital, say } from '../../language.ts';
import { Box } from '../../pieces/box.tsx';
import { Icon } from '../../pieces/icon.tsx';

const GOOD = t('Workbooks can be imported here.', 'Hier kunnen werkmappen worden geïmporteerd.');
const BAD = t(
  'Workbooks can’t be imported here yet.',
  'Hier kunnen nog geen werkmappen worden geïmporteerd.',
);
const OK = t('in order', 'in orde');
const NOT_OK = t('not in order', 'niet in orde');
const OPTIONAL = t('works without it', 'kan zonder');

/** What a check of the service found, and what to do about it. */
export function CheckAnswer({ document }: { readonly document: CheckDocument }): JSX.Element {
  return (
    <>
      <Box tone={document.ok ? 'good' : 'bad'}>{say(document.ok ? GOOD : BAD)}</Box>
      <ul class="check-list">
        {document.checks.map(({ what, ok, needed, found, advice }) => {
          const tone = ok ? 'good' : needed ? 'bad' : 'warn';
          return (
            <li key={what} class={tone}>
              <Icon name={ok ? 'check' : needed ? 'cross' : 'warning'} />
              <div>
                <span class="unseen">{say(ok ? OK : NOT_OK)}: </span>
                <p>
                  <b>{capital(what)}</b>: {found}
                </p>
                {!ok && !needed && <p class="dim">{say(OPTIONAL)}</p>}
                {advice !== undefined && <p class="dim">{advice}</p>}
              </div>
            </li>
          );
        })}
      </ul>
    </>
  );
}
