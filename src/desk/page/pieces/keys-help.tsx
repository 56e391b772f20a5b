import { useEffect, useId, useRef } from 'preact/hooks';
import { type Bilingual, t } from '../../../core/language.ts';
import { said, say } from '../language.ts';
import { Icon } from './icon.tsx';
import { Pairs } from './lists.tsx';

const KEYS: Readonly<Record<string, Bilingual>> = {
  '?': t('Show these keys', 'Deze toetsen tonen'),
  Tab: t('To the next place', 'Naar de volgende plek'),
  Esc: t('Close what is open', 'Sluiten wat open is'),
  '↑ ↓': t('One row up or down', 'Een rij omhoog of omlaag'),
  'PageUp PageDown': t('A screen of rows up or down', 'Een scherm met rijen omhoog of omlaag'),
  'Home End': t('To the first or last row', 'Naar de eerste of laatste rij'),
  Enter: t(
    'Open the row; in a cell: save it, and on to the next',
    'De rij openen; in een cel: opslaan, en verder',
  ),
  'n p': t('To the next or previous row that needs work', 'Naar de volgende of vorige rij die werk vraagt'),
  '/': t('Search', 'Zoeken'),
};

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
  const title = say('Keys', 'Toetsen');
  useKey('?', () => document.getElementById(id)?.showPopover());
  return (
    <>
      <button type="button" class="button plain small" popovertarget={id} aria-label={title}>
        ?
      </button>
      <div id={id} popover="auto" role="dialog" aria-label={title}>
        <header class="spread">
          <h2>{title}</h2>
          <button type="button" class="button plain" popovertarget={id} aria-label={said(CLOSE)}>
            <Icon name="cross" />
          </button>
        </header>
        <Pairs of={Object.entries(KEYS).map(([keys, what]) => [keys, said(what)])} />
      </div>
    </>
  );
}

/** Said of what closes something. */
export const CLOSE = t('Close', 'Sluiten');
