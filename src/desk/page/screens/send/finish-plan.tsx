import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import type { PlanDocument } from '../../../contract/documents.ts';
import { call } from '../../call.ts';
import { say } from '../../language.ts';
import { keepJob, whenEnded } from '../../live.ts';
import { Button } from '../../pieces/button.tsx';
import { ErrorBox, type Wrong } from '../../pieces/error-box.tsx';
import { goTo } from '../../router.ts';
import { wrongOf } from '../../wrong.ts';

const RESULT = t('On to the result', 'Verder naar het resultaat');

interface FinishProps {
  readonly draft: string;
  readonly plan: PlanDocument;
}

/** Finishes a plan of which nothing is to be sent: its result is made, and its file is done with. */
export function FinishPlan({ draft, plan }: FinishProps): JSX.Element {
  const busy = useSignal(false);
  const wrong = useSignal<Wrong | null>(null);
  const finish = async (): Promise<void> => {
    busy.value = true;
    wrong.value = null;
    try {
      const body = { run: plan.run, deletes: plan.deletes };
      await whenEnded(keepJob((await call('send', { params: { draft }, body })).job));
      goTo({ page: 'draft', draft, step: 'done' });
    } catch (error) {
      wrong.value = wrongOf(error);
    }
    busy.value = false;
  };
  return (
    <>
      {wrong.value !== null && <ErrorBox error={wrong.value} />}
      <Button look="primary" icon="right" busy={busy.value} onClick={() => void finish()}>
        {say(RESULT)}
      </Button>
    </>
  );
}
