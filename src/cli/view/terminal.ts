import { createInterface } from 'node:readline';
import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { cursorStream } from '../../core/standard-streams.ts';
import { visibleLine } from '../../core/visible-text.ts';
import { show } from './lines.ts';

const UNSENT = t('Interrupted: nothing was sent.', 'Onderbroken: er is niets verstuurd.');

/**
 * Asks on the terminal; the answer is empty at the end of input (Ctrl-D). Rejects with a StopError at Ctrl-C
 * or when the signal aborts.
 */
export function askLine(question: string, signal: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: process.stdin, output: cursorStream() });
    let answered = false;
    const interrupt = (): void => {
      reject(new StopError(EXIT.interrupted, UNSENT));
      lines.close();
    };
    // A terminal that readline reads from gives Ctrl-C to readline, not to the process.
    lines.on('SIGINT', interrupt);
    signal?.addEventListener('abort', interrupt, { once: true });
    lines.on('close', () => {
      signal?.removeEventListener('abort', interrupt);
      if (!answered) show('stderr', ['']);
      resolve('');
    });
    lines.question(visibleLine(question), (answer) => {
      answered = true;
      resolve(answer);
      lines.close();
    });
    if (signal?.aborted) interrupt();
  });
}
