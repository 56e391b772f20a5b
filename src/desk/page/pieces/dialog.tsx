import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import { say } from '../language.ts';
import { Button } from './button.tsx';

interface DialogProps {
  readonly title: string;
  /** Called for Escape, the cross, and a click beside it; the caller takes the dialog away. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog over the page; the focus goes back to what opened it. */
export function Dialog({ title, onClose, children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      shown?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, and so does the cross.
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div>
        <header class="spread">
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          <Button look="plain" icon="cross" label={say(CLOSE)} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** Said of what closes something. */
export const CLOSE = t('Close', 'Sluiten');
