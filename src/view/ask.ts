import { createInterface } from 'node:readline';
import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';

const UNSENT = t('Interrupted: nothing was sent.', 'Onderbroken: er is niets verstuurd.');

/**
 * Asks on the terminal and gives the answer, empty at the end of input (Ctrl-D). Rejects with a StopError at Ctrl-C,
 * and when the signal says so.
 */
export function askLine(question: string, signal: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
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
      if (!answered) process.stderr.write('\n');
      resolve('');
    });
    lines.question(question, (answer) => {
      answered = true;
      resolve(answer);
      lines.close();
    });
    if (signal?.aborted) interrupt();
  });
}
