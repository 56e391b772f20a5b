import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFaults, launchBrowser } from '../page/open-page.ts';
import type { DeskProgram } from './desk-program.ts';

/** How somebody works, and in which language the page is. */
export interface Manner {
  readonly by: 'mouse' | 'keyboard';
  readonly lang: 'en' | 'nl';
}

/** Whatever has the role of it. */
type Role = Parameters<Page['getByRole']>[0];

/** As much of an element as is asked of it here: it is the browser that runs these. */
interface El {
  readonly type?: string;
  readonly name?: string;
  readonly ownerDocument: { readonly activeElement: El | null };
  matches(selector: string): boolean;
}

/** Runs in the page: whether an element has the focus. */
export const hasFocus = (one: El): boolean => one === one.ownerDocument.activeElement;
/** Runs in the page: whether another radio of the same group has it. */
const isBesideFocus = (one: El): boolean =>
  one.type === 'radio' && one.name === one.ownerDocument.activeElement?.name;

/** Most presses of Tab until something is given up: a page has fewer places to stop at. */
const MOST_TABS = 150;

/** One browser for the stories of a file: answers how somebody sits down at a desk. */
export function useBrowser(): (desk: DeskProgram, manner: Manner) => Promise<Person> {
  const browser = launchBrowser();
  return async (desk, manner) => {
    const context = await browser().newContext({
      viewport: { width: 1280, height: 860 },
      locale: manner.lang === 'en' ? 'en-GB' : 'nl-NL',
      reducedMotion: 'reduce',
      acceptDownloads: true,
    });
    const page = await context.newPage();
    // Only ends what hangs.
    page.setDefaultTimeout(120_000);
    const person = new Person(page, manner);
    await page.goto(desk.address);
    return person;
  };
}

/** Somebody at the page: sees it, works by mouse or by keyboard alone, and notes what isn't as it should be. */
export class Person {
  readonly page: Page;
  readonly manner: Manner;
  readonly #wrong: string[] = [];
  /** The program is gone on purpose: its page may say that it can't reach it. */
  #isGone = false;

  constructor(page: Page, manner: Manner) {
    this.page = page;
    this.manner = manner;
    page.context().on('page', (other) => this.#watch(other));
    this.#watch(page);
  }

  #watch(page: Page): void {
    page.on('pageerror', (error) => this.#wrong.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
      this.#wrong.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      const isRefused = /ERR_(CONNECTION_|INCOMPLETE_|EMPTY_)|status of 401/.test(message.text());
      if (message.type() === 'error' && !(this.#isGone && isRefused))
        this.#wrong.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (protocol !== 'data:' && protocol !== 'blob:' && hostname !== '127.0.0.1')
        this.#wrong.push(`request: ${request.url()}`);
    });
  }

  /** A text in the language of the page. */
  say(en: string, nl: string): string {
    return this.manner.lang === 'en' ? en : nl;
  }

  /** The program was ended, or is back. */
  gone(isGone: boolean): void {
    this.#isGone = isGone;
  }

  /** Nothing was wrong up to now, and axe finds nothing, in light and in dark. */
  async looks(): Promise<void> {
    expect(await axeFaults(this.page)).toEqual([]);
    this.fine();
  }

  /** No error, no dialog, no request to another host, nothing that the page's policy refused. */
  fine(): void {
    expect(this.#wrong).toEqual([]);
  }

  /** Waits for a screen by its heading, and looks at it. */
  async comesTo(en: string, nl: string): Promise<void> {
    const name = this.say(en, nl);
    await this.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await this.looks();
  }

  /** Presses a button, link or choice by its name. */
  async press(role: Role, en: string, nl = en): Promise<void> {
    await this.use(this.page.getByRole(role, { name: this.say(en, nl), exact: true }).first());
  }

  /** The same of what begins so. */
  async pressBeginning(role: Role, en: string, nl = en): Promise<void> {
    await this.use(this.page.getByRole(role, { name: new RegExp(`^${this.say(en, nl)}`) }).first());
  }

  /** Clicks something, or comes to it by Tab and presses the key for it. */
  async use(target: Locator): Promise<void> {
    await target.waitFor();
    if (this.manner.by === 'mouse') return await target.click();
    await this.reach(target);
    const isBox = await target.evaluate((one: El) => one.matches('[type=checkbox], [type=radio]'));
    await this.page.keyboard.press(isBox ? 'Space' : 'Enter');
  }

  /** Brings the focus to something by Tab alone; among radios by the arrows. */
  async reach(target: Locator): Promise<void> {
    const isOn = (): Promise<boolean> => target.evaluate(hasFocus);
    for (let presses = 0; presses < MOST_TABS; presses++) {
      if (await isOn()) return;
      const isBeside = await target.evaluate(isBesideFocus);
      await this.page.keyboard.press(isBeside ? 'ArrowDown' : 'Tab');
    }
    throw new Error(`no Tab leads to ${String(target)}`);
  }

  /** Replaces what stands in the field that has the focus, or in the one that is clicked. */
  async write(text: string): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }

  /** Takes an option of a list. */
  async choose(list: Locator, option: string): Promise<void> {
    if (this.manner.by === 'mouse') return void (await list.selectOption({ label: option }));
    await this.reach(list);
    await this.page.keyboard.type(option);
    await this.page.keyboard.press('Enter');
  }

  /** Brings a file: drops it on the page, or chooses it. */
  async bring(file: string): Promise<void> {
    const { page } = this;
    const button = page.getByRole('button', { name: this.say('Choose a file', 'Kies een bestand') });
    await button.waitFor();
    if (this.manner.by === 'keyboard') {
      const chosen = page.waitForEvent('filechooser');
      await this.use(button);
      return await (await chosen).setFiles(file);
    }
    const content = readFileSync(file).toString('base64');
    const dataTransfer = await page.evaluateHandle(`(() => {
      const bytes = Uint8Array.from(atob('${content}'), (sign) => sign.charCodeAt(0));
      const files = new DataTransfer();
      files.items.add(new File([bytes], ${JSON.stringify(basename(file))}));
      return files;
    })()`);
    await page.locator('main').dispatchEvent('drop', { dataTransfer });
  }

  /** Presses what downloads a file, and keeps that in a folder. Answers its path. */
  async download(folder: string, role: Role, en: string, nl: string): Promise<string> {
    const saved = this.page.waitForEvent('download');
    await this.pressBeginning(role, en, nl);
    const file = await saved;
    const path = join(folder, `saved-${file.suggestedFilename()}`);
    await file.saveAs(path);
    return path;
  }
}
