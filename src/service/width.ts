/** How many requests may be in flight: halved when the service pushes back, one more after each full round of successes. */
export interface Width {
  readonly limit: number;
  accepted(): void;
  /** `keep`: the share that stays. */
  lower(keep: number): void;
}

export function openWidth(most: number): Width {
  let limit = most;
  let streak = 0;
  return {
    get limit() {
      return limit;
    },
    accepted() {
      if (limit === most) return;
      streak += 1;
      if (streak < limit) return;
      streak = 0;
      limit += 1;
    },
    lower(keep) {
      limit = Math.max(1, Math.floor(limit * keep));
      streak = 0;
    },
  };
}
