import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { CheckDocument } from '../../../api/documents.ts';
import { t } from '../../../core/language.ts';
import type { AnswerOf } from '../../contract/answers.ts';
import { call } from '../call.ts';
import { capital, say } from '../language.ts';
import { useAttempt, useLatestJob, useLoaded } from '../loaded.ts';
import { Button } from '../pieces/button.tsx';
import { Box, ErrorBox } from '../pieces/error-box.tsx';
import { Input } from '../pieces/field.tsx';
import { JobState } from '../pieces/progress.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { ServiceBadge } from '../pieces/service-badge.tsx';

const TITLE = t('Service', 'Systeem');
const SANDBOX = t(
  'The sandbox is on this computer and holds made-up data: whatever you send there, nothing real changes.',
  'De proefomgeving staat op deze computer en bevat verzonnen gegevens: wat je er ook naartoe stuurt, er verandert niets echts.',
);

/** The service in use: which one, another one, and whether it works. */
export function ServiceScreen(): JSX.Element {
  const { data, error, reload } = useLoaded('service', {});
  return (
    <>
      <ScreenTitle title={say(TITLE)} />
      <ErrorBox error={error} onRetry={reload} />
      {data !== null && (
        <div class="columns even">
          <div>
            <p>
              <ServiceBadge service={data.service} />
            </p>
            <p class="dim">{data.service.address ?? say(SANDBOX)}</p>
            <CheckPart />
          </div>
          <Others key={JSON.stringify(data.service)} {...data} />
        </div>
      )}
    </>
  );
}

const CHECK = t('Does it work?', 'Werkt het?');
const CHECK_WHAT = t(
  'Whether it answers, takes the token, and gives what imports need. Nothing is changed there.',
  'Of het antwoordt, het token aanneemt en geeft wat een import nodig heeft. Er wordt niets gewijzigd.',
);
const GOOD = t('Workbooks can be imported here.', 'Hier kunnen werkmappen worden geïmporteerd.');
const BAD = t(
  'Workbooks can’t be imported here yet.',
  'Hier kunnen nog geen werkmappen worden geïmporteerd.',
);
const DETAILS = t('What was tried', 'Wat er geprobeerd is');
const DROPDOWNS = t(
  'Which dropdown list has which number is found by catersheet check --save.',
  'Welke keuzelijst welk nummer heeft, vindt catersheet check --save.',
);

function CheckPart(): JSX.Element {
  const { job, busy, wrong, begin } = useLatestJob('check');
  const found = job?.answer?.kind === 'check' ? job.answer.document : null;
  return (
    <section>
      <h2>{say(CHECK)}</h2>
      <p class="dim">{say(CHECK_WHAT)}</p>
      <Button busy={busy} onClick={() => void begin(call('check', {}))}>
        {say(CHECK)}
      </Button>
      <JobState {...{ job, busy, wrong }}>{found !== null && <Found document={found} />}</JobState>
      <p class="dim">{say(DROPDOWNS)}</p>
    </section>
  );
}

/** What a check found: what is wrong, and on demand all that was tried. */
function Found({ document: { ok, checks } }: { readonly document: CheckDocument }): JSX.Element {
  const lines = (of: CheckDocument['checks']): JSX.Element => (
    <ul>
      {of.map(({ what, found, advice }) => (
        <li key={what}>
          <b>{capital(what)}</b>: {found} {advice}
        </li>
      ))}
    </ul>
  );
  return (
    <>
      <Box tone={ok ? 'good' : 'bad'}>
        {say(ok ? GOOD : BAD)}
        {lines(checks.filter((one) => !one.ok && one.needed))}
      </Box>
      <details>
        <summary>{say(DETAILS)}</summary>
        {lines(checks)}
      </details>
    </>
  );
}

const OTHER = t('Another service', 'Een ander systeem');
const USE = t('Use {name}', '{name} gebruiken');
const THE_SANDBOX = t('the sandbox', 'de proefomgeving');
const NO_TOKEN = t('no token', 'geen token');
const ADDRESS = t('Address', 'Adres');
const ADDRESS_HINT = t('Where the service is: https://…', 'Waar het systeem staat: https://…');
const TOKEN = t('Token', 'Token');
const TOKEN_HINT = t(
  'Kept on this computer for you alone, and never shown again. Leave it empty to keep the one there is.',
  'Wordt op deze computer bewaard, voor jou alleen, en nooit meer getoond. Laat leeg om het bewaarde te houden.',
);
const SAVE = t('Save and use', 'Opslaan en gebruiken');
const PROFILES = t(
  'They are kept as profiles in {place}, where all their settings stand. Commands take them by --profile.',
  'Ze worden als profielen bewaard in {place}, waar al hun instellingen staan. Opdrachten nemen ze met --profile.',
);

/** The services that are known, to use, and the address and token of another. */
function Others({ service, profiles, place }: AnswerOf<'service'>): JSX.Element {
  const [address, setAddress] = useState(service.address ?? '');
  const [token, setToken] = useState('');
  const { busy, wrong, attempt } = useAttempt();
  const use = (profile: string | null, name: string, note = ''): JSX.Element | false =>
    (profile !== service.profile || (profile === null && service.kind === 'real')) && (
      <li key={name} class="spread">
        <span>
          {capital(name)} <span class="dim">{note}</span>
        </span>
        <Button small busy={busy} onClick={() => void attempt(() => call('useProfile', { profile }))}>
          {say(USE, { name })}
        </Button>
      </li>
    );
  const save = async (): Promise<void> => {
    await call('saveService', { address, ...(token !== '' && { token }) });
  };
  return (
    <section>
      <h2 id="profiles">{say(OTHER)}</h2>
      <ErrorBox error={wrong} />
      <ul class="lined">
        {use(null, say(THE_SANDBOX))}
        {profiles.map((one) => use(one.name, one.name, one.hasToken ? '' : say(NO_TOKEN)))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void attempt(save);
        }}
      >
        <Input
          {...{ label: say(ADDRESS), hint: say(ADDRESS_HINT), type: 'url', required: true }}
          value={address}
          onValue={setAddress}
        />
        <Input
          {...{ label: say(TOKEN), hint: say(TOKEN_HINT), type: 'password' }}
          value={token}
          onValue={setToken}
        />
        <Button submit look="primary" busy={busy}>
          {say(SAVE)}
        </Button>
      </form>
      <p class="dim">{say(PROFILES, { place })}</p>
    </section>
  );
}
