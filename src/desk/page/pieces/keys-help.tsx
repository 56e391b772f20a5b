import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Bilingual, same, t } from '../../../core/language.ts';
import { say } from '../language.ts';
import { Dialog } from './dialog.tsx';

const TITLE = t('Keys', 'Toetsen');
const OPEN = t('Keys: what each key does', 'Toetsen: wat elke toets doet');
const ENTER = same('Enter');
const SPACE = t('Space', 'Spatie');
const ESCAPE = same('Esc');

type Keys = readonly (readonly [keys: readonly Bilingual[], what: Bilingual])[];

const PARTS: readonly (readonly [title: Bilingual, keys: Keys])[] = [
  [
    t('Everywhere', 'Overal'),
    [
      [[same('?')], t('Show these keys', 'Deze toetsen tonen')],
      [[same('Tab'), same('Shift+Tab')], t('To the next or previous', 'Naar het volgende of vorige')],
      [[ESCAPE], t('Close what is open', 'Sluiten wat open is')],
    ],
  ],
  [
    t('In a table of rows', 'In een tabel met rijen'),
    [
      [[same('↑'), same('↓')], t('One row up or down', 'Een rij omhoog of omlaag')],
      [[same('PageUp'), same('PageDown')], t('A screen up or down', 'Een scherm omhoog of omlaag')],
      [[same('Home'), same('End')], t('To the first or last row', 'Naar de eerste of laatste rij')],
      [[ENTER], t('Open the row', 'De rij openen')],
      [
        [same('n'), same('p')],
        t('To the next or previous row that needs work', 'Naar de volgende of vorige rij die werk vraagt'),
      ],
      [[SPACE], t('Pick a row, where rows can be picked', 'Een rij kiezen, waar dat kan')],
      [[same('/')], t('Search', 'Zoeken')],
    ],
  ],
  [
    t('In a cell', 'In een cel'),
    [
      [[ENTER], t('Save it, and on to the next', 'Opslaan, en naar de volgende')],
      [[same('↑'), same('↓')], t('Choose from the list', 'Kiezen uit de lijst')],
      [[ESCAPE], t('Leave it as it was', 'Laten zoals het was')],
    ],
  ],
];

/** Whether the list of keys is shown. */
const open = signal(false);

/** Where `?` is a letter like any other. */
const TYPED_IN = 'input, textarea, select, [contenteditable]';

/** Shows what the keys do, as `?` does. */
export function KeysButton(): JSX.Element {
  return (
    <button
      type="button"
      class="keys-open"
      aria-label={say(OPEN)}
      title={say(TITLE)}
      aria-haspopup="dialog"
      onClick={() => {
        open.value = true;
      }}
    >
      ?
    </button>
  );
}

/** Says on every screen what the keys do, once `?` asks for it. */
export function KeysHelp(): JSX.Element | null {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key !== '?' || ctrlKey || metaKey || altKey) return;
      if (target instanceof Element && target.matches(TYPED_IN)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      open.value = true;
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const close = (): void => {
    open.value = false;
  };
  if (!open.value) return null;
  return (
    <Dialog title={say(TITLE)} onClose={close}>
      {PARTS.map(([title, keys]) => (
        <section key={title.en} class="keys">
          <h3>{say(title)}</h3>
          <dl>
            {keys.map(([names, what]) => (
              <div key={what.en}>
                <dt>
                  {names.map((name) => (
                    <kbd key={name.en}>{say(name)}</kbd>
                  ))}
                </dt>
                <dd>{say(what)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
