/** Takes a request; null when it may go on, else the seconds after which to try again. */
export type RateLimit = (perSecond: number | null) => number | null;

/** A token bucket that holds one second's worth, at least one request. `now` is in ms. */
export function createRateLimit(now: () => number = () => performance.now()): RateLimit {
  let tokens = Number.POSITIVE_INFINITY;
  let filled = now();
  return (perSecond) => {
    const moment = now();
    if (perSecond === null) {
      tokens = Number.POSITIVE_INFINITY;
      filled = moment;
      return null;
    }
    tokens = Math.min(Math.max(1, perSecond), tokens + ((moment - filled) / 1000) * perSecond);
    filled = moment;
    if (tokens < 1) return (1 - tokens) / perSecond;
    tokens -= 1;
    return null;
  };
}
