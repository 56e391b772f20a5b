import type { Resource } from '../../schema/resource.ts';
import type { Context } from '../context.ts';
import type { RowGuard } from '../kinds/kind.ts';
import type { Breaker } from './breaker.ts';
import type { AddressOf } from './failure-outcome.ts';

/** What sending rows of one resource works with. */
export interface Sending {
  readonly context: Context;
  readonly run: string;
  readonly resource: Resource;
  readonly guard: RowGuard;
  readonly breaker: Breaker;
  readonly addressOf: AddressOf;
}
