/** A program among those that share requests in flight, as the database has it. */
export interface Sharing {
  readonly program: string;
  readonly rate: number | null;
  /** Most requests in flight over all programs; null for one that does not share them. */
  readonly concurrency: number | null;
  /** How many it would have in flight. */
  readonly wants: number;
  /** How many it may have in flight. */
  readonly share: number;
  /** The clock of the database, ms. */
  readonly now: number;
}

/** Where there are more programs than requests, others have their turn after so many seconds. */
const TURN_SECONDS = 5;

/**
 * Divides `total` requests in flight among programs in their order: evenly, and none more than it wants.
 * Where there are fewer requests than programs, they take turns by the `second`.
 */
export function sharesOf(
  total: number,
  members: readonly Pick<Sharing, 'program' | 'wants'>[],
  second: number,
): Map<string, number> {
  const shares = new Map(members.map(({ program }) => [program, 0]));
  let wishing = members.filter(({ wants }) => wants > 0);
  const first = wishing.length > total ? (Math.floor(second / TURN_SECONDS) * total) % wishing.length : 0;
  wishing = [...wishing.slice(first), ...wishing.slice(0, first)];
  let left = total;
  while (left > 0 && wishing.length > 0) {
    const each = Math.max(1, Math.floor(left / wishing.length));
    for (const { program, wants } of wishing) {
      const had = shares.get(program) ?? 0;
      const more = Math.min(each, left, wants - had);
      shares.set(program, had + more);
      left -= more;
    }
    wishing = wishing.filter(({ program, wants }) => (shares.get(program) ?? 0) < wants);
  }
  return shares;
}

/** What a program may have in flight: its part, as far as the others have let go of it. */
export function shareOf(program: string, members: readonly Sharing[]): number {
  const all = members.filter(({ concurrency }) => concurrency !== null);
  const total = Math.min(...all.map(({ concurrency }) => concurrency ?? Number.POSITIVE_INFINITY));
  const target = sharesOf(total, all, (all[0]?.now ?? 0) / 1000).get(program) ?? 0;
  const others = all.reduce((sum, one) => sum + (one.program === program ? 0 : one.share), 0);
  return Math.max(0, Math.min(target, total - others));
}

/** The lowest rate of all programs, and whether the others kept to it already. */
export function rateOf(program: string, members: readonly Sharing[]) {
  const others = members.filter((one) => one.program !== program);
  const [lowest, theirs] = [members, others].map((all) =>
    Math.min(...all.map(({ rate }) => rate ?? Number.POSITIVE_INFINITY)),
  ) as [number, number];
  return {
    rate: lowest === Number.POSITIVE_INFINITY ? null : lowest,
    isFollowed: others.length === 0 || theirs <= lowest,
  };
}
