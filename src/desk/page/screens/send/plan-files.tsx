import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import { addressOf } from '../../../contract/paths.ts';
import { say } from '../../language.ts';
import { DownloadLink } from '../../pieces/button.tsx';
import { Icon } from '../../pieces/icon.tsx';

const TITLE = t(
  'Nothing of it is sent yet: to show it to others',
  'Er is nog niets verstuurd: om aan anderen te laten zien',
);
const WORKBOOK = t('Your workbook, with what would change', 'Je werkmap, met wat er zou veranderen');
const REPORT = t('A report of it', 'Een verslag ervan');
const NEW_TAB = t('(in a new tab)', '(in een nieuw tabblad)');

/** The workbook and the report of a plan that was not sent. */
export function PlanFiles({ run }: { readonly run: string }): JSX.Element {
  const params = { run };
  return (
    <section aria-labelledby="plan-files">
      <h2 id="plan-files">{say(TITLE)}</h2>
      <div class="actions">
        <DownloadLink href={addressOf('result', { params })[1]}>{say(WORKBOOK)}</DownloadLink>
        <a class="button" href={addressOf('report', { params })[1]} target="_blank" rel="noopener">
          <Icon name="file" />
          <span>
            {say(REPORT)} <span class="unseen">{say(NEW_TAB)}</span>
          </span>
        </a>
      </div>
    </section>
  );
}
