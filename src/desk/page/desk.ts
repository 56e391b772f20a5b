import { signal } from '@preact/signals';
import type { Home } from '../contract/answers.ts';
import { call, keepSession } from './call.ts';
import { browserLanguage, language, showLanguage } from './language.ts';
import { asCallError, connect, doubt, epoch, soon } from './live.ts';
import { goTo, keyInAddress, route } from './router.ts';

/** What the first page shows; null until it is there. Every screen takes the service from it. */
export const home = signal<Home | null>(null);

let asked = 0;

/** Asks for it again. Of answers that overtake each other, the last that was asked for stays. */
async function loadHome(): Promise<void> {
  const isFirst = home.peek() === null;
  const turn = ++asked;
  const answer = await call('home', {}, soon()).catch((error: unknown) => {
    const { status } = asCallError(error);
    if (status !== 401) doubt(status);
    return null;
  });
  if (answer === null || turn !== asked) return;
  home.value = answer;
  if (isFirst) showLanguage(answer.language);
}

/** Opens a session with the key in the address, which nobody is to see there. */
async function useKey(key: string): Promise<void> {
  goTo(route.peek().page === 'lost' ? { page: 'home' } : route.peek(), true);
  // A key that was used is of no matter where this browser has a session already.
  const opened = await call('exchangeKey', { key, language: browserLanguage }, soon()).catch(() => null);
  if (opened !== null) keepSession(opened.session);
}

/** Takes the key from the address where there is one, and shows what its session leads to. */
export async function startDesk(): Promise<void> {
  const key = keyInAddress();
  if (key !== undefined) await useKey(key);
  await loadHome();
  epoch.subscribe((count) => {
    if (count > 1) void loadHome();
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

/** Follows a link to a file of the desk: its address takes no header, and is opened by a ticket. */
export async function followLink(address: string, target = ''): Promise<void> {
  const link = document.createElement('a');
  try {
    const { ticket } = await call('ticket', { address });
    Object.assign(link, { href: `${address}&ticket=${ticket}`, target });
    if (target === '') link.download = '';
    link.click();
  } catch (error) {
    asCallError(error);
  }
}
