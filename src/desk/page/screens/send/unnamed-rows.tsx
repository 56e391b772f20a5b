import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../../core/language.ts';
import type { DraftDocument, PlanDocument } from '../../../contract/documents.ts';
import { beginPlan } from '../../begin.ts';
import { keepEarlier } from '../../earlier-plan.ts';
import { figure, language, say } from '../../language.ts';
import { Box } from '../../pieces/box.tsx';
import { Button } from '../../pieces/button.tsx';
import { ErrorBox, type Wrong } from '../../pieces/error-box.tsx';
import { wrongOf } from '../../wrong.ts';

const ONE = t(
  '1 row of {sheets} names no record. Is it new?',
  '1 rij van {sheets} noemt geen record. Is die nieuw?',
);
const OTHER = t(
  '{n} rows of {sheets} name no record. Are they new?',
  '{n} rijen van {sheets} noemen geen record. Zijn die nieuw?',
);
const WHAT = t(
  'A row is found again by its key. Without one it is only created if you say so.',
  'Een rij wordt teruggevonden op zijn sleutel. Zonder sleutel wordt die alleen aangemaakt als jij het zegt.',
);
const ONE_CREATE = t('Create it as new', 'Als nieuw aanmaken');
const CREATE = t('Create them as new', 'Als nieuw aanmaken');
const CREATED = t(
  'Rows that name no record are created as new, as you chose.',
  'Rijen die geen record noemen, worden als nieuw aangemaakt, zoals je koos.',
);
const WITHOUT = t('Don’t create them', 'Niet aanmaken');

interface UnnamedProps {
  readonly draft: DraftDocument;
  readonly plan: PlanDocument;
}

/** Asks whether rows that name no record are new; once answered, says so with the way back. */
export function UnnamedRows({ draft, plan }: UnnamedProps): JSX.Element | null {
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const answer = async (createUnnamed: boolean): Promise<void> => {
    setWrong(null);
    try {
      keepEarlier(draft.id, plan);
      await beginPlan(draft.id, { createUnnamed });
    } catch (error) {
      setWrong(wrongOf(error));
    }
  };
  const rows = plan.unnamed.reduce((sum, one) => sum + one.rows, 0);
  const sheets = new Intl.ListFormat(language.value).format(plan.unnamed.map(({ sheet }) => sheet));
  if (rows === 0 && !draft.createUnnamed) return null;
  return (
    <Box tone={rows === 0 ? 'plain' : 'warn'}>
      <p>{rows === 0 ? say(CREATED) : <b>{say(rows === 1 ? ONE : OTHER, { n: figure(rows), sheets })}</b>}</p>
      {rows > 0 && <p>{say(WHAT)}</p>}
      {wrong !== null && <ErrorBox error={wrong} />}
      <div class="actions">
        <Button small onClick={() => void answer(rows > 0)}>
          {say(rows === 0 ? WITHOUT : rows === 1 ? ONE_CREATE : CREATE)}
        </Button>
      </div>
    </Box>
  );
}
