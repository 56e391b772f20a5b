import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { html } from './answers.ts';
import type { AnswerKnobs, Failure } from './knobs.ts';
import type { Time } from './time.ts';
import type { Answer, Received } from './types.ts';
import type { World } from './world.ts';

/** How the bytes of an answer leave: whole, half and then cut off, or little by little. */
export interface Manner {
  readonly half?: 'RST' | 'FIN';
  readonly trickle?: { readonly bytes: number; readonly everyMs: number };
}

/** Sends an answer and tells whether it left. */
export async function deliver(
  response: ServerResponse,
  request: Received,
  answer: Answer,
  { time, knobs: { answers } }: World,
  manner: Manner = {},
): Promise<'sent' | 'lost'> {
  if (response.destroyed) return 'lost';
  const bytes = encoded(answer, answers, request);
  response.writeHead(answer.status, headersOf(answer, answers, bytes));
  if (manner.half) {
    response.write(bytes.body.subarray(0, Math.floor(bytes.body.length / 2)));
    await time.sleep(10);
    cutOff(response, manner.half);
    return 'lost';
  }
  if (manner.trickle) await trickle(response, bytes.body, { ...manner.trickle, time });
  else response.write(bytes.body);
  const { socket } = response;
  const outcome = await ended(response);
  if (answers.keepAlive === 'silently closed') socket?.end();
  return outcome;
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
  return statusAnswer(failure.status, failure.body ?? 'html', failure.retryAfter);
}

/** A bare failure status with one of the bodies proxies give it. */
export function statusAnswer(
  status: number,
  body: 'html' | 'json' | 'empty',
  retryAfter?: string | number,
): Answer {
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  if (body === 'json') return { status, body: { message: 'Server Error' }, headers };
  if (body === 'empty') return { status, body: Buffer.alloc(0), type: 'text/html', headers };
  return { ...html(status, `${status} Error`), headers };
}

interface Encoded {
  readonly body: Buffer;
  readonly isGzip: boolean;
}

function encoded(answer: Answer, answers: AnswerKnobs, request: Received): Encoded {
  const isRaw = Buffer.isBuffer(answer.body);
  const text = isRaw ? '' : `${answers.bom ? '\ufeff' : ''}${JSON.stringify(answer.body)}`;
  const body = Buffer.isBuffer(answer.body) ? answer.body : Buffer.from(text, 'utf8');
  const accepts = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const isGzip =
    body.length > 0 && (answers.gzip === 'always' || (answers.gzip === 'when accepted' && accepts));
  return { body: isGzip ? gzipSync(body) : body, isGzip };
}

function headersOf(answer: Answer, answers: AnswerKnobs, encoded: Encoded): Record<string, string> {
  const charset = answers.charset === 'utf-8' ? '; charset=utf-8' : '';
  const headers: Record<string, string> = {
    'Content-Type': `${answer.type ?? 'application/json'}${charset}`,
    ...(answer.status === 204 ? {} : { 'Content-Length': String(encoded.body.length) }),
    ...(encoded.isGzip ? { 'Content-Encoding': 'gzip' } : {}),
    ...(answers.keepAlive === 'closed' ? { Connection: 'close' } : {}),
    ...answer.headers,
  };
  const { headerCase } = answers;
  if (headerCase === 'title') return headers;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      headerCase === 'upper' ? name.toUpperCase() : name.toLowerCase(),
      value,
    ]),
  );
}

async function trickle(
  response: ServerResponse,
  body: Buffer,
  how: { readonly bytes: number; readonly everyMs: number; readonly time: Time },
): Promise<void> {
  for (let sent = 0; sent < body.length && !response.destroyed; sent += how.bytes) {
    response.write(body.subarray(sent, sent + how.bytes));
    await how.time.sleep(how.everyMs);
  }
}

function ended(response: ServerResponse): Promise<'sent' | 'lost'> {
  return new Promise((resolve) => {
    response.once('close', () => resolve(response.writableFinished ? 'sent' : 'lost'));
    response.end(() => resolve('sent'));
    if (response.destroyed) resolve('lost');
  });
}
