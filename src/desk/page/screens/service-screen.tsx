import { useState } from 'preact/hooks';
import type { CheckDocument } from '../../../api/documents.ts';
import type { AnswerOf } from '../../contract/answers.ts';
import { call } from '../call.ts';
import { capital, say } from '../language.ts';
import { begin, latestOf, useLoaded } from '../live.ts';
import { Box, Button, ErrorBox } from '../pieces/controls.tsx';
import { Form, Input } from '../pieces/field.tsx';
import { ScreenTitle, ServiceBadge } from '../pieces/frame.tsx';
import { Listed } from '../pieces/lists.tsx';
import { JobView } from '../pieces/progress.tsx';

/** The service in use: which one, another one, and whether it works. */
export function ServiceScreen() {
  const { data, error, reload } = useLoaded('service', {});
  return (
    <>
      <ScreenTitle title={say('Service', 'Systeem')} />
      <ErrorBox error={error} onRetry={reload} />
      {data && (
        <div class="columns">
          <div>
            <p>
              <ServiceBadge service={data.service} />
            </p>
            <p class="dim">
              {data.service.address ??
                say(
                  'The sandbox is on this computer and holds made-up data: whatever you send there, nothing real changes.',
                  'De proefomgeving staat op deze computer en bevat verzonnen gegevens: wat je er ook naartoe stuurt, er verandert niets echts.',
                )}
            </p>
            <CheckPart />
          </div>
          <Others key={JSON.stringify(data.service)} {...data} />
        </div>
      )}
    </>
  );
}

function CheckPart() {
  const { job, busy, answer } = latestOf('check');
  const title = say('Does it work?', 'Werkt het?');
  return (
    <section>
      <h2>{title}</h2>
      <p class="dim">
        {say(
          'Whether it answers, takes the token, and gives what imports need. Nothing is changed there.',
          'Of het antwoordt, het token aanneemt en geeft wat een import nodig heeft. Er wordt niets gewijzigd.',
        )}
      </p>
      <Button busy={busy} onClick={() => begin(call('check', {}))}>
        {title}
      </Button>
      <div role="status">
        <JobView job={job} />
        {answer && <Found document={answer} />}
      </div>
      <p class="dim">
        {say(
          'Which dropdown list has which number is shown by catersheet check --lists.',
          'Welke keuzelijst welk nummer heeft, laat catersheet check --lists zien.',
        )}
      </p>
    </section>
  );
}

/** What a check found, and all that is not as it should be. */
const Found = ({ document: { ok, checks } }: { readonly document: CheckDocument }) => (
  <Box tone={ok ? 'good' : 'bad'}>
    {ok
      ? say('Workbooks can be imported here.', 'Hier kunnen werkmappen worden geïmporteerd.')
      : say('Workbooks can’t be imported here yet.', 'Hier kunnen nog geen werkmappen worden geïmporteerd.')}
    <Listed
      items={checks.flatMap(({ what, found, advice, ...one }) =>
        one.ok ? (
          []
        ) : (
          <>
            <b>{capital(what)}</b>: {found} {advice}
          </>
        ),
      )}
    />
  </Box>
);

/** The services that are known, to use, and the address and token of another. */
function Others({ service, profiles, place }: AnswerOf<'service'>) {
  const [address, setAddress] = useState(service.address ?? '');
  const [token, setToken] = useState('');
  const use = (profile: string | null, name: string, note = '') =>
    (profile !== service.name || (profile === null && service.kind === 'real')) && (
      <li key={name} class="spread">
        <span>
          {capital(name)} <span class="dim">{note}</span>
        </span>
        <Button small onClick={() => call('useProfile', { profile })}>
          {say(`Use ${name}`, `${name} gebruiken`)}
        </Button>
      </li>
    );
  return (
    <section>
      <h2 id="profiles">{say('Another service', 'Een ander systeem')}</h2>
      <ul class="lined">
        {use(null, say('the sandbox', 'de proefomgeving'))}
        {profiles.map((one) => use(one.name, one.name, one.hasToken ? '' : say('no token', 'geen token')))}
      </ul>
      <Form
        word={say('Save and use', 'Opslaan en gebruiken')}
        onSubmit={() => call('saveService', { address, ...(token !== '' && { token }) })}
      >
        <Input
          {...{ type: 'url', required: true, value: address }}
          label={say('Address', 'Adres')}
          hint={say('Where the service is: https://…', 'Waar het systeem staat: https://…')}
          onValue={setAddress}
        />
        <Input
          {...{ type: 'password', value: token }}
          label={say('Token', 'Token')}
          hint={say(
            'Kept on this computer for you alone, and never shown again. Leave it empty to keep the one there is.',
            'Wordt op deze computer bewaard, voor jou alleen, en nooit meer getoond. Laat leeg om het bewaarde te houden.',
          )}
          onValue={setToken}
        />
      </Form>
      <p class="dim">
        {say(
          `They are kept as profiles in ${place}, where all their settings stand. Commands take them by --profile.`,
          `Ze worden als profielen bewaard in ${place}, waar al hun instellingen staan. Opdrachten nemen ze met --profile.`,
        )}
      </p>
    </section>
  );
}
