import type { Logger } from 'pino';
import type { Time } from '../core/time.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { Resource } from '../schema/resource.ts';
import type { Service } from '../service/service.ts';
import type { DoubtTime } from './doubt-time.ts';
import type { NamedRecords } from './named-records.ts';
import type { Progress } from './progress.ts';

/** What an import, export or call works with; all of it is passed in. */
export interface Context {
  readonly service: Service;
  /** The service's name for people: its address, or `sandbox`. */
  readonly serviceName: string;
  /** The service's key in the ledger; a new sandbox has a new one. */
  readonly serviceKey: string;
  readonly ledger: Ledger;
  /** In the order in which their sheets are sent. */
  readonly resources: readonly Resource[];
  readonly dialect: Dialect;
  readonly concurrency: number;
  /** What the session learned of the records that ids name. */
  readonly named: NamedRecords;
  /** Whose the addresses are at which this ledger posted the same; absent where nobody said so. */
  readonly elsewhere?: 'same' | 'other' | undefined;
  /** No other program sends with this ledger: what an earlier run left open may be settled. */
  readonly exclusive: boolean;
  readonly doubts: DoubtTime;
  readonly log: Logger;
  readonly time: Time;
  /** The user of this machine; undefined where it does not say. */
  readonly user?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** A moment (of a number: ms since 1970) on the wall clock of this machine, `YYYY-MM-DD hh:mm:ss`. */
export function wallClock(moment: Date | number): string {
  const now = new Date(moment);
  const pad = (value: number): string => String(value).padStart(2, '0');
  const date = `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
  return `${date} ${pad(now.getHours())}:${pad(now.getMinutes())}:${pad(now.getSeconds())}`;
}
