import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../../core/language.ts';
import type { SettingsDocument } from '../../../contract/documents.ts';
import { call } from '../../call.ts';
import { say } from '../../language.ts';
import { Button } from '../../pieces/button.tsx';
import { Dialog } from '../../pieces/dialog.tsx';
import { ErrorBox, type Wrong } from '../../pieces/error-box.tsx';
import { Field } from '../../pieces/field.tsx';
import { wrongOf } from '../../wrong.ts';

const ADD = t('Add a service', 'Systeem toevoegen');
const CHANGE = t('Change {name}', '{name} wijzigen');
const NAME = t('Name', 'Naam');
const NAME_HINT = t('What you call it, such as live.', 'Hoe je het noemt, zoals live.');
const ADDRESS = t('Address', 'Adres');
const ADDRESS_HINT = t('Where the service is: https://…', 'Waar het systeem staat: https://…');
const TOKEN = t('Token', 'Token');
const TOKEN_HINT = t(
  'Kept on this computer for you alone. It is never shown again.',
  'Wordt op deze computer bewaard, voor jou alleen. Je krijgt het nooit meer te zien.',
);
const KEEPS = t('Leave it empty to keep the one there is.', 'Laat leeg om het bewaarde te houden.');
const SAVE = t('Save', 'Opslaan');
const CANCEL = t('Cancel', 'Annuleren');

/** A service by its name: where it is, and whether its token is kept. */
export type Profile = SettingsDocument['profiles'][number];

interface DialogProps {
  /** Null for a new one. */
  readonly profile: Profile | null;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** A service with its address and token, added or changed; a token that is typed goes to the server alone. */
export function ProfileDialog({ profile, onClose, onSaved }: DialogProps): JSX.Element {
  const [name, setName] = useState(profile?.name ?? '');
  const [address, setAddress] = useState(profile?.address ?? '');
  const [token, setToken] = useState('');
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const save = async (): Promise<void> => {
    setBusy(true);
    setWrong(null);
    try {
      await call('saveProfile', { body: { name, address, ...(token === '' ? {} : { token }) } });
      onSaved();
    } catch (error) {
      setWrong(wrongOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={profile === null ? say(ADD) : say(CHANGE, { name: profile.name })} onClose={onClose}>
      <form
        class="profile-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void save();
        }}
      >
        {wrong !== null && <ErrorBox error={wrong} />}
        {profile === null && (
          <TextField label={say(NAME)} hint={say(NAME_HINT)} most={100} text={name} onText={setName} />
        )}
        <TextField
          {...{ label: say(ADDRESS), hint: say(ADDRESS_HINT), text: address, onText: setAddress }}
          type="url"
          most={2000}
        />
        <TextField
          {...{ label: say(TOKEN), text: token, onText: setToken, type: 'password', most: 8192 }}
          hint={profile?.hasToken === true ? `${say(TOKEN_HINT)} ${say(KEEPS)}` : say(TOKEN_HINT)}
          optional
        />
        <footer class="actions">
          <Button onClick={onClose}>{say(CANCEL)}</Button>
          <Button submit look="primary" busy={busy}>
            {say(SAVE)}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

interface TextProps {
  readonly label: string;
  readonly hint: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly type?: 'text' | 'url' | 'password';
  /** Characters at most. */
  readonly most: number;
  readonly optional?: boolean;
}

function TextField({ label, hint, text, onText, type = 'text', most, optional }: TextProps): JSX.Element {
  return (
    <Field label={label} hint={hint}>
      {(control) => {
        const own = {
          required: optional !== true,
          autocomplete: 'off',
          maxLength: most,
          value: text,
        } as const;
        const props = {
          ...{ ...control, ...own },
          onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
            onText(event.currentTarget.value),
        };
        if (type === 'password') return <input type="password" {...props} />;
        return type === 'url' ? <input type="url" {...props} /> : <input type="text" {...props} />;
      }}
    </Field>
  );
}
