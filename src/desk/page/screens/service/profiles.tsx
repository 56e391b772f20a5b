import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../../core/language.ts';
import type { SettingsDocument } from '../../../contract/documents.ts';
import { call } from '../../call.ts';
import { say } from '../../language.ts';
import { Button } from '../../pieces/button.tsx';
import { Dialog } from '../../pieces/dialog.tsx';
import { ErrorBox, type Wrong } from '../../pieces/error-box.tsx';
import { toast } from '../../pieces/toast.tsx';
import { wrongOf } from '../../wrong.ts';
import { type Profile, ProfileDialog } from './profile-dialog.tsx';

const TITLE = t('Profiles', 'Profielen');
const WHY = t(
  'A profile is a service with its address and token. They are kept on this computer, in {place}.',
  'Een profiel is een systeem met zijn adres en token. Ze worden op deze computer bewaard, in {place}.',
);
const SANDBOX = t('Sandbox', 'Sandbox');
const MADE_UP = t('made-up data, on this computer', 'verzonnen gegevens, op deze computer');
const STARTED_WITH = t('named when catersheet was started', 'genoemd bij het starten van catersheet');
const TOKEN = t('token kept', 'token bewaard');
const NO_TOKEN = t('no token', 'geen token');
const DEFAULT = t('used where none is named', 'gebruikt als er geen genoemd is');
const USED = t('in use', 'in gebruik');
const USE_SANDBOX = t('Use the sandbox', 'De sandbox gebruiken');
const USE = t('Use', 'Gebruiken');
const USE_OF = t('Use {name}', '{name} gebruiken');
const CHANGE = t('Change', 'Wijzigen');
const CHANGE_OF = t('Change {name}', '{name} wijzigen');
const REMOVE = t('Remove', 'Verwijderen');
const REMOVE_OF = t('Remove {name}', '{name} verwijderen');
const ASK = t('Remove the profile {name}?', 'Het profiel {name} verwijderen?');
const ASK_WHAT = t(
  'Its address and token are forgotten. Runs and files stay.',
  'Het adres en het token worden vergeten. Runs en bestanden blijven.',
);
const CANCEL = t('Cancel', 'Annuleren');
const ADD = t('Add a service', 'Systeem toevoegen');
const NOW = t('{name} is in use now.', '{name} is nu in gebruik.');

interface ProfilesProps {
  readonly settings: SettingsDocument;
  readonly reload: () => void;
}

/** The services that are known, to use, change and remove. */
export function Profiles({ settings, reload }: ProfilesProps): JSX.Element {
  const [edited, setEdited] = useState<Profile | 'new' | null>(null);
  const [removed, setRemoved] = useState<Profile | null>(null);
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const attempt = (work: () => Promise<unknown>): void => {
    setWrong(null);
    work().then(reload, (error: unknown) => setWrong(wrongOf(error)));
  };
  const use = async (profile: string | null): Promise<void> => {
    await call('useProfile', { body: { profile } });
    toast(say(NOW, { name: profile ?? say(SANDBOX) }));
  };
  const { profile: used } = settings.service;
  return (
    <section aria-labelledby="profiles">
      <h2 id="profiles">{say(TITLE)}</h2>
      <p class="dim">{say(WHY, { place: settings.place })}</p>
      {wrong !== null && <ErrorBox error={wrong} />}
      <ul class="cards">
        <OwnCard service={settings.service} onUse={() => attempt(() => use(null))} />
        {settings.profiles.map((profile) => (
          <ProfileCard
            key={profile.name}
            profile={profile}
            used={profile.name === used}
            onUse={() => attempt(() => use(profile.name))}
            onChange={() => setEdited(profile)}
            onRemove={() => setRemoved(profile)}
          />
        ))}
      </ul>
      <p class="add">
        <Button onClick={() => setEdited('new')}>{say(ADD)}</Button>
      </p>
      {edited !== null && (
        <ProfileDialog
          profile={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={() => {
            setEdited(null);
            reload();
          }}
        />
      )}
      {removed !== null && (
        <AskRemove
          name={removed.name}
          onClose={() => setRemoved(null)}
          onRemove={() => {
            setRemoved(null);
            attempt(() => call('dropProfile', { params: { profile: removed.name } }));
          }}
        />
      )}
    </section>
  );
}

interface OwnProps extends Pick<SettingsDocument, 'service'> {
  readonly onUse: () => void;
}

/** What needs no profile: the sandbox, or the address that the program was started with. */
function OwnCard({ service, onUse }: OwnProps): JSX.Element {
  const isUsed = service.profile === null;
  const isSandbox = !isUsed || service.kind === 'sandbox';
  return (
    <li class="card">
      <div class="card-text">
        <strong>{isSandbox ? say(SANDBOX) : service.address}</strong>
        <p class="dim">{say(isSandbox ? MADE_UP : STARTED_WITH)}</p>
      </div>
      {isUsed ? (
        <span class="pill good">{say(USED)}</span>
      ) : (
        <Button small label={say(USE_SANDBOX)} onClick={onUse}>
          {say(USE)}
        </Button>
      )}
    </li>
  );
}

interface CardProps {
  readonly profile: Profile;
  readonly used: boolean;
  readonly onUse: () => void;
  readonly onChange: () => void;
  readonly onRemove: () => void;
}

function ProfileCard({ profile, used, onUse, onChange, onRemove }: CardProps): JSX.Element {
  const { name, address, hasToken, isDefault } = profile;
  const about = [say(hasToken ? TOKEN : NO_TOKEN), isDefault ? say(DEFAULT) : ''].filter(Boolean).join(' · ');
  return (
    <li class="card">
      <div class="card-text">
        <strong>{name}</strong>
        <p class="dim">{address ?? say(MADE_UP)}</p>
        <p class="dim">{about}</p>
      </div>
      {used ? (
        <span class="pill good">{say(USED)}</span>
      ) : (
        <Button small label={say(USE_OF, { name })} onClick={onUse}>
          {say(USE)}
        </Button>
      )}
      <Button small look="plain" label={say(CHANGE_OF, { name })} onClick={onChange}>
        {say(CHANGE)}
      </Button>
      <Button small look="plain" label={say(REMOVE_OF, { name })} onClick={onRemove}>
        {say(REMOVE)}
      </Button>
    </li>
  );
}

interface AskProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onRemove: () => void;
}

function AskRemove({ name, onClose, onRemove }: AskProps): JSX.Element {
  return (
    <Dialog
      title={say(ASK, { name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{say(CANCEL)}</Button>
          <Button look="danger" onClick={onRemove}>
            {say(REMOVE)}
          </Button>
        </>
      }
    >
      <p>{say(ASK_WHAT)}</p>
    </Dialog>
  );
}
