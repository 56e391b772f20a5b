import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import { beginPlan } from '../../begin.ts';
import { call } from '../../call.ts';
import { say, sayCount } from '../../language.ts';
import { asCallError } from '../../loaded.ts';
import { Button } from '../../pieces/button.tsx';
import { ErrorBox, type Wrong } from '../../pieces/error-box.tsx';
import { goTo } from '../../router.ts';

const ONE = t('1 row needs work', '1 rij moet nog verbeterd worden');
const OTHER = t('{n} rows need work', '{n} rijen moeten nog verbeterd worden');
const WHAT = t(
  'Correct them here: what is done already is recognised and not sent again.',
  'Verbeter ze hier: wat al klaar is, wordt herkend en gaat niet nog eens.',
);
const CORRECT = t('Correct what is left', 'Verbeteren wat er over is');

/** The way to correct and send the rows that are left, as a file of its own. */
export function WorkLeft({ draft, work }: { readonly draft: string; readonly work: number }): JSX.Element {
  const busy = useSignal(false);
  const wrong = useSignal<Wrong | null>(null);
  const correct = async (): Promise<void> => {
    busy.value = true;
    wrong.value = null;
    try {
      const { draft: made } = await call('again', { params: { draft }, body: {} });
      await beginPlan(made.id);
      goTo({ page: 'draft', draft: made.id, step: 'plan', query: { work: '1' } });
    } catch (error) {
      wrong.value = asCallError(error);
    }
    busy.value = false;
  };
  return (
    <section class="tile" aria-labelledby="work-left">
      <h2 id="work-left">{sayCount(work, ONE, OTHER)}</h2>
      <p class="dim">{say(WHAT)}</p>
      {wrong.value !== null && <ErrorBox error={wrong.value} />}
      <div class="actions">
        <Button look="primary" icon="right" busy={busy.value} onClick={() => void correct()}>
          {say(CORRECT)}
        </Button>
      </div>
    </section>
  );
}
