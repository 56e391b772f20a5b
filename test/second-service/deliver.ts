import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { html } from './answers.ts';
import type { AnswerKnobs, Failure } from './knobs.ts';
import type { Answer, Received } from './types.ts';
import type { World } from './world.ts';

/** Sends an answer, half of it where it is cut off then or little by little, and tells whether it left. */
export async function deliver(
  response: ServerResponse,
  request: Received,
  answer: Answer,
  { time, knobs: { answers } }: World,
  failure: Failure | undefined,
): Promise<boolean> {
  if (response.destroyed) return false;
  const bytes = encoded(answer, answers, request);
  const { body } = bytes;
  response.writeHead(answer.status, headersOf(answer, answers, bytes));
  if (failure?.kind === 'reset') {
    response.write(body.subarray(0, Math.floor(body.length / 2)));
    await time.sleep(10);
    cutOff(response, failure.how ?? 'RST');
    return false;
  }
  const { bytes: step, everyMs } = failure?.kind === 'trickle' ? failure : { bytes: body.length, everyMs: 0 };
  for (let sent = 0; sent < body.length && !response.destroyed; sent += step) {
    response.write(body.subarray(sent, sent + step));
    if (everyMs > 0) await time.sleep(everyMs);
  }
  const { socket } = response;
  const hasLeft = await ended(response);
  if (answers.keepAlive === 'silently closed') socket?.end();
  return hasLeft;
}

/** Ends the connection without an answer, as a failing network or a killed process does. */
export function cutOff(response: ServerResponse, how: 'RST' | 'FIN'): void {
  if (how === 'RST') response.socket?.resetAndDestroy();
  else response.socket?.destroy();
}

/** Waits until the other side hangs up. */
export function hungUp(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve();
    else response.once('close', () => resolve());
  });
}

/** What a failure puts in place of the answer, or undefined where it cuts the connection. */
export function inPlace(failure: Failure): Answer | undefined {
  if (failure.kind === 'empty 200') return { status: 200, body: Buffer.alloc(0), type: 'text/html' };
  if (failure.kind === 'login page') return html(200, 'Inloggen');
  if (failure.kind === 'redirect') {
    const headers = { Location: failure.to ?? '/login' };
    return { ...html(failure.status ?? 302, 'Redirecting'), headers };
  }
  if (failure.kind === 'answer') return { status: failure.status, body: failure.body };
  if (failure.kind !== 'status') return undefined;
  const { status, retryAfter, body } = failure;
  const answer =
    body === 'empty' ? { status, body: Buffer.alloc(0), type: 'text/html' } : html(status, `${status} Error`);
  return retryAfter === undefined ? answer : { ...answer, headers: { 'Retry-After': String(retryAfter) } };
}

function encoded(answer: Answer, answers: AnswerKnobs, { headers }: Received) {
  const text = `${answers.bom ? '\ufeff' : ''}${JSON.stringify(answer.body)}`;
  const body = Buffer.isBuffer(answer.body) ? answer.body : Buffer.from(text);
  const accepts = /\bgzip\b/.test(String(headers['accept-encoding']));
  const isGzip =
    body.length > 0 && (answers.gzip === 'always' || (answers.gzip === 'when accepted' && accepts));
  return { body: isGzip ? gzipSync(body) : body, isGzip };
}

function headersOf(answer: Answer, answers: AnswerKnobs, { body, isGzip }: ReturnType<typeof encoded>) {
  const headers: Record<string, string> = {
    'Content-Type': `${answer.type ?? 'application/json'}; charset=utf-8`,
    'Content-Length': String(body.length),
    ...(isGzip ? { 'Content-Encoding': 'gzip' } : {}),
    ...(answers.keepAlive === 'closed' ? { Connection: 'close' } : {}),
    ...answer.headers,
  };
  const written = { title: String, lower: toLower, upper: toUpper }[answers.headerCase];
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [written(name), value]));
}

const toLower = (name: string): string => name.toLowerCase();
const toUpper = (name: string): string => name.toUpperCase();

function ended(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    response.once('close', () => resolve(response.writableFinished));
    response.end(() => resolve(true));
    if (response.destroyed) resolve(false);
  });
}
