import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { SettingsDocument } from '../../contract/documents.ts';
import { call } from '../call.ts';
import { say } from '../language.ts';
import { useLoaded } from '../loaded.ts';
import { Button } from '../pieces/button.tsx';
import { ErrorBox } from '../pieces/error-box.tsx';
import { Check } from '../pieces/field.tsx';
import { JobView } from '../pieces/job-view.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { ServiceBadge } from '../pieces/service-badge.tsx';
import { useLatestJob } from './export/use-job.ts';
import { CheckAnswer } from './service/check-answer.tsx';
import { Lists } from './service/lists.tsx';
import { Profiles } from './service/profiles.tsx';

const TITLE = t('Service', 'Systeem');
const IN_USE = t('In use', 'In gebruik');
const SANDBOX = t(
  'The sandbox is on this computer and holds made-up data: whatever you send there, nothing real changes.',
  'De sandbox staat op deze computer en bevat verzonnen gegevens: wat je er ook naartoe stuurt, er verandert niets echts.',
);
const CHECK = t('Check it', 'Nakijken');
const CHECK_WHAT = t(
  'Whether it answers, takes the token, and gives what imports need. Nothing is changed there.',
  'Of het antwoordt, het token aanneemt en geeft wat een import nodig heeft. Er wordt niets gewijzigd.',
);
const WITH_LISTS = t(
  'Also look which dropdown number is which list',
  'Ook kijken welk dropdownnummer welke lijst is',
);

/** The service in use: which one, whether it works, its profiles and its lists. */
export function ServiceScreen(): JSX.Element {
  const { data, error, reload } = useLoaded('service', (signal) => call('service', { signal }), [
    ['service'],
  ]);
  return (
    <>
      <ScreenTitle title={say(TITLE)} />
      {error !== null && <ErrorBox error={error} onRetry={reload} />}
      {data === null && error === null && <div class="skeleton tall" />}
      {data !== null && (
        <div class="columns service-columns">
          <div class="stack">
            <section aria-labelledby="in-use">
              <h2 id="in-use">{say(IN_USE)}</h2>
              <p>
                <ServiceBadge service={data.service} />
              </p>
              {data.service.kind === 'sandbox' ? (
                <p class="dim">{say(SANDBOX)}</p>
              ) : (
                <p class="dim">{data.service.address}</p>
              )}
            </section>
            <CheckPart service={data.service} />
            {data.dropdowns.length > 0 && (
              // Another service has lists of its own: nothing that was chosen of one stays.
              <Lists key={JSON.stringify(data.service)} settings={data} reload={reload} />
            )}
          </div>
          <Profiles settings={data} reload={reload} />
        </div>
      )}
    </>
  );
}

function CheckPart({ service }: Pick<SettingsDocument, 'service'>): JSX.Element {
  const [wanted, setLists] = useState(false);
  const { job, wrong, busy, begin } = useLatestJob('check', service);
  // The sandbox on this computer knows its own lists.
  const hasLists = service.kind === 'real';
  const lists = hasLists && wanted;
  const answer = job?.state === 'done' && job.answer?.kind === 'check' ? job.answer.document : null;
  return (
    <section aria-labelledby="check">
      <h2 id="check">{say(CHECK)}</h2>
      <p class="dim">{say(CHECK_WHAT)}</p>
      {hasLists && (
        <Check checked={lists} onChange={setLists}>
          {say(WITH_LISTS)}
        </Check>
      )}
      <div class="actions check-actions">
        <Button busy={busy} onClick={() => void begin(() => call('check', { body: { lists } }))}>
          {say(CHECK)}
        </Button>
      </div>
      <div role="status">
        {wrong !== null && <ErrorBox error={wrong} />}
        {job !== undefined && <JobView job={job} />}
        {answer !== null && <CheckAnswer document={answer} />}
      </div>
    </section>
  );
}
