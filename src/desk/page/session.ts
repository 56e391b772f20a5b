import { SESSION_HEADER } from '../contract/paths.ts';

/**
 * Where this browser keeps the secret of its session. Only pages of the desk's own address and port read it:
 * every tab of the desk, and no page that another user of this machine serves on another port.
 */
const PLACE = 'catersheet-session';

/** Holds it where the browser keeps nothing: the next load of the page asks for a key. */
let own: string | undefined;

/** Keeps the secret of a session that was opened. */
export function keepSession(session: string): void {
  try {
    localStorage.setItem(PLACE, session);
  } catch {
    own = session;
  }
}

/** Goes with every request. */
export const sessionHeader = (): Record<string, string> => ({ [SESSION_HEADER]: own ?? kept() ?? '' });

/** Calls back when another window of this browser opened a session. */
export function onOtherSession(then: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === PLACE) then();
  });
}

function kept(): string | null {
  try {
    return localStorage.getItem(PLACE);
  } catch {
    return null;
  }
}
