import type { Counts } from '../../core/counts.ts';
import type { PlanDocument } from '../contract/documents.ts';

let earlier: { readonly draft: string; readonly run: string; readonly counts: Counts } | null = null;

/** Keeps what a draft's plan counts, before it is made anew. */
export function keepEarlier(draft: string, plan: PlanDocument | null): void {
  earlier = plan === null ? null : { draft, run: plan.run, counts: plan.counts };
}

/** What the plan before this one counted; null where none was made anew here. */
export function earlierCounts(draft: string, { run }: PlanDocument): Counts | null {
  return earlier?.draft === draft && earlier.run !== run ? earlier.counts : null;
}
