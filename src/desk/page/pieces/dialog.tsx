import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import { say } from '../language.ts';
import { Icon } from './icon.tsx';

interface DialogProps {
  readonly title: string;
  /** Called for Escape, the cross, and a click beside it; the caller takes the dialog away. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Buttons at its end. */
  readonly actions?: ComponentChildren;
  /** `side`: along the edge of the window, the page beside it stays in sight. */
  readonly place?: 'middle' | 'side';
}

/** A dialog over the page; the focus goes back to what opened it. */
export function Dialog({ title, onClose, children, actions, place = 'middle' }: DialogProps): JSX.Element {
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
      class={`dialog ${place}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" class="button plain cross" aria-label={say(CLOSE)} onClick={onClose}>
            <Icon name="cross" />
          </button>
        </header>
        {children}
        {actions !== undefined && <footer class="actions">{actions}</footer>}
      </div>
    </dialog>
  );
}

const CLOSE = t('Close', 'Sluiten');
