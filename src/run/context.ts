import type { Logger } from 'pino';
import type { Ledger } from '../ledger/ledger.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { Resource } from '../schema/resource.ts';
import type { Service } from '../service/service.ts';

/** How far a stage is; `total` is null while it is not known. */
export interface Progress {
  readonly stage: 'reading' | 'sending' | 'writing';
  readonly done: number;
  readonly total: number | null;
}

/** What the pipeline works with; all of it handed in. */
export interface Context {
  readonly service: Service;
  /** What people call the service: its address, or `sandbox`. */
  readonly serviceName: string;
  /** What the ledger knows it by: what was sent to another service, or to a sandbox since thrown away, is not its own. */
  readonly serviceKey: string;
  readonly ledger: Ledger;
  /** In the order in which their sheets are sent. */
  readonly resources: readonly Resource[];
  readonly dialect: Dialect;
  readonly concurrency: number;
  /** No other program sends with this ledger meanwhile: what an earlier run left open may be settled. */
  readonly exclusive: boolean;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Wall clock of this machine, `YYYY-MM-DD hh:mm:ss`. */
export function wallClock(now: Date): string {
  const pad = (value: number): string => String(value).padStart(2, '0');
  const date = `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
  return `${date} ${pad(now.getHours())}:${pad(now.getMinutes())}:${pad(now.getSeconds())}`;
}
