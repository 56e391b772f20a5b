import { setTimeout } from 'node:timers/promises';
import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';

/** How long those who are at work are waited for when the program is stopped, ms. */
const PATIENCE = 5000;

/**
 * Who works with what the desk keeps open: the ledger, checks of rows. What is replaced or let go is closed
 * once nobody can have it any more, so that no change of settings takes it from under a request.
 */
export class Users {
  private readonly atWork = new Set<Promise<unknown>>();
  private readonly closing = new Set<Promise<void>>();
  private isEnded = false;

  /** Does work during which nothing is closed that it was given. Throws StopError after the end. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.isEnded)
      throw new StopError(EXIT.interrupted, t('catersheet is being stopped.', 'catersheet wordt gestopt.'), {
        next: t('Start it again.', 'Start het opnieuw.'),
      });
    const own = work();
    const end = own.catch(() => {});
    this.atWork.add(end);
    return await own.finally(() => this.atWork.delete(end));
  }

  /** Closes what nobody is given any more, as soon as all who are at work now are done. */
  letGo(close: () => Promise<unknown>): void {
    const done: Promise<void> = Promise.all(this.atWork)
      .then(close)
      // What can't be closed is of no use to anybody: nothing is left to tell.
      .catch(() => {})
      .then(() => void this.closing.delete(done));
    this.closing.add(done);
  }

  /** Lets nobody in from here on, and resolves when all that was let go is closed, or is waited for in vain. */
  async end(): Promise<void> {
    this.isEnded = true;
    await Promise.race([Promise.all(this.closing), setTimeout(PATIENCE, undefined, { ref: false })]);
  }
}
