import { asCallError } from './loaded.ts';
import { ticketed } from './tickets.ts';

/** Follows a link to a file of the desk. */
export async function followLink(link: HTMLAnchorElement): Promise<void> {
  try {
    const once = link.cloneNode() as HTMLAnchorElement;
    once.href = await ticketed(link.getAttribute('href') ?? '');
    once.click();
  } catch (error) {
    asCallError(error);
  }
}

/** Has every link to a file on the page followed so, whichever button of the mouse presses it. */
export function followLinks(): void {
  const press = (event: MouseEvent): void => {
    const link = (event.target as Element | null)?.closest<HTMLAnchorElement>('a[href^="/api/"]') ?? null;
    if (link === null || event.button > 1) return;
    event.preventDefault();
    void followLink(link);
  };
  addEventListener('click', press);
  addEventListener('auxclick', press);
}
