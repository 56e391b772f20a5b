/** Separators that are looked for, the likeliest first. */
const CANDIDATES = [';', '\t', ',', '|'] as const;
const RECORDS = 20;

/** How a CSV is laid out: its separator, and the length of a `sep=` line before its first record. */
export interface CsvLayout {
  readonly delimiter: string;
  readonly skip: number;
}

/** Finds the layout from the first lines; a separator that is given overrules what they say. */
export function findLayout(start: string, given: string | undefined): CsvLayout {
  const line = /^"?sep=([^\n])"?(?:\n|$)/i.exec(start);
  const skip = line?.[0].length ?? 0;
  return { delimiter: given ?? line?.[1] ?? likeliest(start.slice(skip)), skip };
}

/** The separator that cuts most records into the same number of fields, of several such the one that makes most fields. */
function likeliest(start: string): string {
  let best: string = ',';
  let bestScore = 0;
  for (const candidate of CANDIDATES) {
    const counts = fieldCounts(start, candidate);
    const score = agreement(counts);
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

function agreement(counts: number[]): number {
  const seen = new Map<number, number>();
  for (const count of counts) if (count > 1) seen.set(count, (seen.get(count) ?? 0) + 1);
  let best = 0;
  for (const [fields, records] of seen) best = Math.max(best, records + fields / 100_000);
  return best;
}

/** Fields of each of the first records, quoted separators and line ends not counted. */
function fieldCounts(start: string, delimiter: string): number[] {
  const counts: number[] = [];
  let fields = 1;
  let quoted = false;
  for (const character of start) {
    if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === delimiter) fields++;
    else if (character === '\n') {
      counts.push(fields);
      fields = 1;
      if (counts.length === RECORDS) return counts;
    }
  }
  counts.push(fields);
  return counts;
}
