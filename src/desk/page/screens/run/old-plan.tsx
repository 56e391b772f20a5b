import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import type { DeskRun } from '../../../contract/documents.ts';
import { say } from '../../language.ts';
import { Box } from '../../pieces/box.tsx';
import { ButtonLink } from '../../pieces/button.tsx';

const REPLACED = t(
  'This plan was made anew since, so that nothing of this one is sent.',
  'Dit plan is sindsdien opnieuw gemaakt, dus van dit plan wordt niets verstuurd.',
);
const CHANGED = t(
  'Since this plan it was chosen how else the file is read, so that nothing of it is sent.',
  'Sinds dit plan is gekozen hoe het bestand anders gelezen wordt, dus er wordt niets van verstuurd.',
);
const STALE = t(
  'Cells were corrected since this plan was made. What you see here is the plan without them; it is not sent.',
  'Sinds dit plan zijn er cellen verbeterd. Je ziet hier het plan zonder die verbeteringen; het wordt niet verstuurd.',
);
const NEWEST = t('To the newest plan', 'Naar het nieuwste plan');
const FILE = t('To the file with its corrections', 'Naar het bestand met de verbeteringen');

/** Says of a plan that it is not what would be sent any more, and leads to what is. */
export function OldPlan({ run }: { readonly run: DeskRun }): JSX.Element | null {
  const { replacedBy, stale, draft } = run;
  if (replacedBy === null && !stale) return null;
  return (
    <Box tone="warn">
      <p>{say(replacedBy === null ? STALE : replacedBy === '' ? CHANGED : REPLACED)}</p>
      <div class="actions">
        {replacedBy !== null && replacedBy !== '' && (
          <ButtonLink to={{ page: 'run', run: replacedBy }}>{say(NEWEST)}</ButtonLink>
        )}
        {replacedBy === null && draft !== null && (
          <ButtonLink to={{ page: 'draft', draft, step: 'plan' }}>{say(FILE)}</ButtonLink>
        )}
      </div>
    </Box>
  );
}
