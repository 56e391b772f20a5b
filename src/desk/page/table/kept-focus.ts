import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Gives the open row the focus, by its heading; false where none is open. */
export function focusPanel(): boolean {
  const heading = document.querySelector<HTMLElement>('.row-panel h2, dialog.side h2');
  heading?.focus({ preventScroll: true });
  return heading !== null;
}

/**
 * Keeps the focus on the open row: when what has it goes, as a button that was pressed, its heading gets it,
 * and where no row is open any more `otherwise` is called. A browser would give it to nothing, where no key
 * works.
 */
export function useKeptFocus(within: RefObject<HTMLElement | null>, otherwise: () => void): void {
  useEffect(() => {
    const element = within.current;
    if (element === null) return;
    let last: Element | null = null;
    const onFocus = ({ target }: FocusEvent): void => {
      last = target instanceof Element ? target : null;
    };
    const watch = new MutationObserver(() => {
      const isLost = last !== null && !last.isConnected;
      if (!isLost || (document.activeElement ?? document.body) !== document.body) return;
      last = null;
      if (!focusPanel()) otherwise();
    });
    watch.observe(element, { childList: true, subtree: true });
    element.addEventListener('focusin', onFocus);
    return () => {
      watch.disconnect();
      element.removeEventListener('focusin', onFocus);
    };
  }, []);
}
