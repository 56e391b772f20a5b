import { describe, expect, it } from 'vitest';
import { source } from './source.ts';

/** The one place that writes to stdout and stderr, and those that have the stream of a bar or a question. */
const WRITER = 'core/standard-streams.ts';
const CURSORS = ['cli/view/progress.ts', 'cli/view/terminal.ts'];

/** Whoever has a stream can write to it; what a stream is may be asked. */
const HAS_STREAM = [
  /\bprocess\s*(?:\.|\[\s*['"`])\s*(?:stdout|stderr)\b(?!\.(?:isTTY|columns)\b)/,
  /\{[^}]*\b(?:stdout|stderr)\b[^}]*\}\s*=\s*process\b/,
  /\bconsole\b\s*\./,
  /\b(?:_rawDebug|emitWarning)\b/,
  /\b(?:write|append)\w*(?:Sync)?\(\s*[12]\s*,/,
  /['"`]\/dev\/(?:tty|std(?:out|err))/,
];

const hasStream = (code: string): boolean => HAS_STREAM.some((way) => way.test(code));

describe('what reaches the terminal', () => {
  it.each([
    ["process.stdout.write('x')", true],
    ["process['stderr'].write('x')", true],
    ['const { stdout } = process;', true],
    ["console.error('x')", true],
    ["writeSync(2, 'x')", true],
    ["process.emitWarning('x')", true],
    ['process.stdout.isTTY === true', false],
    ['Math.min(110, process.stdout.columns || 110)', false],
    ["stream.write('x')", false],
  ])('is written by %s: %s', (code, writes) => {
    expect(hasStream(code)).toBe(writes);
  });

  it('is written in one place, which shows every sign', () => {
    const others = source.filter(({ lines }) => hasStream(lines.join('\n'))).map(({ path }) => path);
    expect(others).toEqual([WRITER]);
  });

  it('moves the cursor in two places, which show our own words alone', () => {
    const users = source.filter(({ lines }) => /\bcursorStream\b/.test(lines.join('\n')));
    expect(users.map(({ path }) => path)).toEqual([...CURSORS, WRITER]);
  });
});
