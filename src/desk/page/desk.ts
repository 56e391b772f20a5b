import { signal } from '@preact/signals';
import type { HomeDocument } from '../contract/documents.ts';
import { call } from './call.ts';
import { language, showLanguage } from './language.ts';
import { connect, doubt, epoch, onChanged, soon } from './live.ts';
import { asCallError } from './loaded.ts';
import { goTo, keyInAddress, route } from './router.ts';
import { keepSession } from './session.ts';

/** What the first page shows; null until it is there. Every screen takes the service from it. */
export const home = signal<HomeDocument | null>(null);

/** Whether it is known if this browser has a session: screens ask for nothing before. */
export const started = signal(false);

let asked = 0;
let shown = 0;

/** Asks for it again. Of answers that overtake each other, the last that was asked for stays. */
export async function loadHome(): Promise<void> {
  const isFirst = home.peek() === null;
  const turn = ++asked;
  const answer = await call('home', { signal: soon() }).catch((error: unknown) => {
    const { status } = asCallError(error);
    if (status !== 401 && turn > shown) doubt('lost');
    return null;
  });
  if (answer !== null && turn > shown) {
    shown = turn;
    home.value = answer;
  }
  if (isFirst && home.value !== null) showLanguage(home.value.language);
}

/** Opens a session with the key in the address, which nobody is to see there. */
async function useKey(key: string): Promise<void> {
  goTo(route.peek().page === 'lost' ? { page: 'home' } : route.peek(), true);
  // A key that was used is of no matter where this browser has a session already.
  const opened = await call('exchangeKey', { body: { key }, signal: soon() }).catch(() => null);
  if (opened !== null) keepSession(opened.session);
  await loadHome();
}

/** Takes the key from the address where there is one, and shows what its session leads to. */
export async function startDesk(): Promise<void> {
  const key = keyInAddress();
  await (key === undefined ? loadHome() : useKey(key));
  started.value = true;
  onChanged(() => void loadHome());
  epoch.subscribe((count) => {
    if (count > 0) void loadHome();
  });
  // Some of what it says is in the server's words.
  language.subscribe((now) => {
    if (home.peek()?.language !== now) void loadHome();
  });
  // The address of a program that was started anew, opened where the page of the one before still stands.
  addEventListener('hashchange', () => {
    const next = keyInAddress();
    if (next !== undefined) void useKey(next).then(connect);
  });
  connect();
}
