import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import { call } from '../../call.ts';
import { say, sayCount } from '../../language.ts';
import { Button } from '../../pieces/button.tsx';
import { ErrorBox } from '../../pieces/error-box.tsx';
import { useLatestJob } from '../export/use-job.ts';
import { CallsOutcome } from './calls-outcome.tsx';
import { numbersIn } from './numbers.ts';
import { NumbersField } from './numbers-field.tsx';

const TITLE = t('Refresh events', 'Evenementen verversen');
const WHAT = t(
  'The service works out again what these events need. Doing so once more does no harm. A whole sheet of events can be dropped on the first page.',
  'Het systeem rekent opnieuw uit wat deze evenementen nodig hebben. Nog eens kan geen kwaad. Een heel werkblad met evenementen kun je op de eerste pagina neerzetten.',
);
const NUMBERS = t('Numbers of events', 'Nummers van evenementen');
const NONE = t('Refresh', 'Verversen');
const ONE = t('Refresh 1 event', '1 evenement verversen');
const OTHER = t('Refresh {n} events', '{n} evenementen verversen');

/** Has the service refresh events by their numbers, and shows what came of each. */
export function RefreshPart(): JSX.Element {
  const text = useSignal('');
  const { job, wrong, busy, begin } = useLatestJob('refresh');
  const { ids, wrong: why } = numbersIn(text.value);
  const isReady = ids.length > 0 && why === null;
  return (
    <section class="tile" aria-labelledby="refresh">
      <h2 id="refresh">{say(TITLE)}</h2>
      <p class="dim">{say(WHAT)}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !busy) void begin(() => call('makeRefresh', { body: { ids: [...ids] } }));
        }}
      >
        <NumbersField
          label={say(NUMBERS)}
          text={text.value}
          wrong={why}
          onText={(typed) => {
            text.value = typed;
          }}
        />
        <div class="actions">
          <Button submit busy={busy} disabled={!isReady}>
            {isReady ? sayCount(ids.length, ONE, OTHER) : say(NONE)}
          </Button>
        </div>
      </form>
      <div role="status">
        {wrong !== null && <ErrorBox error={wrong} />}
        {job !== undefined && <CallsOutcome job={job} />}
      </div>
    </section>
  );
}
