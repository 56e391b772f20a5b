import { useEffect, useId, useRef } from 'preact/hooks';
import { type Bilingual, same, t } from '../../../core/language.ts';
import { said } from '../language.ts';
import { Icon } from './icon.tsx';
import { Pairs } from './lists.tsx';

const TITLE = t('Keys', 'Toetsen');

const KEYS: readonly (readonly [keys: Bilingual, what: Bilingual])[] = [
  [same('?'), t('Show these keys', 'Deze toetsen tonen')],
  [same('Tab'), t('To the next place', 'Naar de volgende plek')],
  [same('Esc'), t('Close what is open', 'Sluiten wat open is')],
  [same('↑ ↓'), t('One row up or down', 'Een rij omhoog of omlaag')],
  [same('PageUp PageDown'), t('A screen of rows up or down', 'Een scherm met rijen omhoog of omlaag')],
  [same('Home End'), t('To the first or last row', 'Naar de eerste of laatste rij')],
  [
    same('Enter'),
    t(
      'Open the row; in a cell: save it, and on to the next',
      'De rij openen; in een cel: opslaan, en verder',
    ),
  ],
  [
    same('n p'),
    t('To the next or previous row that needs work', 'Naar de volgende of vorige rij die werk vraagt'),
  ],
  [same('/'), t('Search', 'Zoeken')],
];

/** Whether keys are being typed into something. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select') !== null;

/** Does something on a key, wherever the focus is, but where it is typed. */
export function useKey(wanted: string, work: () => void): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key !== wanted || ctrlKey || metaKey || altKey) return;
      if ((isTyping(target) && key !== 'Escape') || document.querySelector(':popover-open') !== null) return;
      if (key !== 'Escape') event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Says on every screen what the keys do, once `?` asks for it: the browser opens and closes it. */
export function KeysHelp() {
  const id = useId();
  useKey('?', () => document.getElementById(id)?.showPopover());
  return (
    <>
      <button type="button" class="button plain small" popovertarget={id} aria-label={said(TITLE)}>
        ?
      </button>
      <div id={id} popover="auto" role="dialog" aria-label={said(TITLE)}>
        <header class="spread">
          <h2>{said(TITLE)}</h2>
          <button type="button" class="button plain" popovertarget={id} aria-label={said(CLOSE)}>
            <Icon name="cross" />
          </button>
        </header>
        <Pairs of={KEYS.map(([keys, what]) => [said(keys), said(what)])} />
      </div>
    </>
  );
}

/** Said of what closes something. */
export const CLOSE = t('Close', 'Sluiten');
