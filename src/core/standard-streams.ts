import { once } from 'node:events';
import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { plainJson, visibleLine, visibleText } from './visible-text.ts';

/**
 * All that the program writes to stdout and stderr goes through here: whatever a file, a service or a setting
 * says, no more than our own styles reaches a terminal. A test holds that nothing else writes there.
 */

/**
 * A line to show; with a style and what stands before the styled text. A `command` is to be copied: it is
 * never broken. Where another line is broken, the rest stands under its text.
 */
export type Line = string | readonly [style: Style, text: string, before?: string];

type Style = 'bold' | 'red' | 'plain' | 'command';

/** Shows lines, each of them on one line whatever stands in it. */
export function showLines(to: 'stdout' | 'stderr', lines: readonly Line[], color = false): void {
  const shown = lines.map((line) => {
    if (typeof line === 'string') return `${visibleLine(line)}\n`;
    const [style, text, before = ''] = line;
    const plain = visibleLine(text);
    const styled = color && (style === 'bold' || style === 'red') ? styleText(style, plain) : plain;
    return `${visibleLine(before)}${styled}\n`;
  });
  if (shown.length > 0) process[to].write(shown.join(''));
}

/** Shows a document of JSON on stdout. */
export function showJson(document: object): void {
  process.stdout.write(`${plainJson(JSON.stringify(document, null, 2))}\n`);
}

/** Writes a part of a document to stdout and waits for a slow reader; one that went away ends the wait. */
export async function writeJson(part: string): Promise<void> {
  if (process.stdout.write(plainJson(part)) || process.stdout.destroyed) return;
  await Promise.race([once(process.stdout, 'drain'), once(process.stdout, 'close')]).catch(() => {});
}

/** Where the lines of a log go, each of them JSON: to a stream, else to stderr. */
export const logLines = (stream: Pick<Writable, 'write'> = process.stderr) => ({
  write: (line: string): void => void stream.write(plainJson(line)),
});

/** Stdout for data: to a pipe as they are, to a terminal with every sign visible. */
export function dataStream(): Writable {
  const { stdout } = process;
  if (stdout.isTTY !== true) return stdout;
  return new Writable({
    decodeStrings: false,
    write: (text: string, _, done) => {
      const lines = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
      stdout.write(visibleText(lines), done);
    },
  });
}

/** The stream of what moves the cursor: the progress bar and the question. They show only our own words. */
export const cursorStream = (): NodeJS.WriteStream => process.stderr;

/** Calls `told` when stdout can't be written. */
export function onOutputError(told: (error: NodeJS.ErrnoException) => void): void {
  process.stdout.on('error', told);
}
