import type { Logger } from 'pino';
import type { Clock } from './clock.ts';

export interface ServiceOptions {
  readonly baseUrl: string;
  readonly token: string;
  /** Most requests in flight. */
  readonly concurrency: number;
  /** Most requests a second. */
  readonly rate?: number | undefined;
  /** Milliseconds for connecting, for the first byte of the answer, and between its parts. */
  readonly timeout: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** Lets the token go over http to another machine. */
  readonly allowHttp?: boolean | undefined;
  /** 64 MB unless told. */
  readonly maxAnswerBytes?: number | undefined;
  readonly log: Logger;
  /** Aborted: nothing new is sent, reads are cut off, writes in flight get their answer. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}
